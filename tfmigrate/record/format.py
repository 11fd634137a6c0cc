"""The recording file: JSON that people can read and edit. Nothing of it is executed on loading.

``load``, ``dump`` and ``merged``; the data is in model.py. A later version of the program reads what an earlier one
wrote; what it does not know is left out, never guessed at.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from tfmigrate.atomic import write_whole
from tfmigrate.record.fold import folded, merged
from tfmigrate.record.model import (
    Arguments,
    Array,
    Call,
    CallMode,
    Constructor,
    DictOf,
    Dim,
    Imported,
    KerasObject,
    ListOf,
    Made,
    Opaque,
    RecordedClass,
    RecordedFunction,
    Recording,
    RecordingError,
    Scalar,
    Tensor,
    TensorKind,
    TupleOf,
    Value,
)

__all__ = [
    "FILE_NAME",
    "Arguments",
    "Array",
    "Call",
    "CallMode",
    "Constructor",
    "DictOf",
    "Dim",
    "Imported",
    "KerasObject",
    "ListOf",
    "Made",
    "Opaque",
    "RecordedClass",
    "RecordedFunction",
    "Recording",
    "RecordingError",
    "Scalar",
    "Tensor",
    "TensorKind",
    "TupleOf",
    "Value",
    "dump",
    "folded",
    "load",
    "merged",
]

FILE_NAME = "tfmigrate-recording.json"
VERSION = 1
WIDTH = 110

T = TypeVar("T")


def load(path: Path) -> Recording:
    """The recording in ``path``.

    Raises:
        RecordingError: it cannot be read or is no recording; the message says where and what to do.
    """
    try:
        document = json.loads(path.read_bytes())
    except OSError as error:
        raise RecordingError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise RecordingError(f"{path}: is not JSON ({error}); record again to replace it") from error
    return _Reader(str(path)).recording(document, str(path.parent))


def dump(recording: Recording, path: Path) -> None:
    """Write ``recording`` to ``path``, whole or not at all.

    Raises:
        OSError: it cannot be written.
    """
    write_whole(path, f"{_pretty(as_json(recording))}\n".encode())


def _pretty(value: Any, indent: str = "") -> str:
    """JSON in which what fits stands on one line: a value in a call reads better so than spread over ten."""
    line = json.dumps(value, ensure_ascii=False, allow_nan=False)
    if len(line) + len(indent) <= WIDTH or not isinstance(value, (list, dict)) or not value:
        return line
    inner = indent + " "
    if isinstance(value, list):
        parts = [_pretty(item, inner) for item in value]
    else:
        parts = [
            f"{json.dumps(key, ensure_ascii=False)}: {_pretty(item, inner)}" for key, item in value.items()
        ]
    begin, end = "[]" if isinstance(value, list) else "{}"
    body = ",\n".join(inner + part for part in parts)
    return f"{begin}\n{body}\n{indent}{end}"


def as_json(recording: Recording) -> dict[str, Any]:
    """The document that the file holds."""
    return {
        "tfmigrate_recording": VERSION,
        "versions": dict(recording.versions),
        "classes": [_class_json(cls) for cls in recording.classes],
        "functions": [_function_json(function) for function in recording.functions],
    }


def _class_json(cls: RecordedClass) -> dict[str, Any]:
    return {
        "name": cls.name,
        "file": cls.file,
        "line": cls.line,
        "constructor": _constructor_json(cls.constructor),
        "instances": cls.instances,
        "nested": cls.is_nested,
        "calls": [_call_json(call) for call in cls.calls],
    }


def _function_json(function: RecordedFunction) -> dict[str, Any]:
    document = {
        "name": function.name,
        "file": function.file,
        "line": function.line,
        "jit_compile": function.jit_compile,
        "has_signature": function.has_signature,
        "traces": function.traces,
        "wrappers": function.wrappers,
        "calls": [_call_json(call) for call in function.calls],
    }
    if function.owner is not None:
        document["owner"] = _constructor_json(function.owner)
    return document


def _constructor_json(constructor: Constructor) -> dict[str, Any]:
    return {**_arguments_json(constructor.arguments), "from_config": constructor.from_config}


def _arguments_json(arguments: Arguments) -> dict[str, Any]:
    return {
        "args": [value_json(value) for value in arguments.args],
        "kwargs": {name: value_json(value) for name, value in arguments.kwargs},
    }


def _call_json(call: Call) -> dict[str, Any]:
    return {
        **_arguments_json(call.arguments),
        "training": call.training,
        "mask": call.mask,
        "mode": call.mode.value,
        "from": None if call.caller is None else list(call.caller),
        "count": call.count,
        "traces": call.traces,
        "raised": call.raised,
        "sample": call.sample,
    }


def value_json(value: Value) -> dict[str, Any]:
    """``value`` as it stands in the file."""
    if isinstance(value, Tensor):
        return {"tensor": _tensor_json(value)}
    if isinstance(value, Scalar):
        if isinstance(value.value, float) and not math.isfinite(value.value):
            return {"float": str(value.value)}
        return {"value": value.value}
    if isinstance(value, ListOf):
        return {"list": [value_json(item) for item in value.items]}
    if isinstance(value, TupleOf):
        return {"tuple": [value_json(item) for item in value.items]}
    if isinstance(value, DictOf):
        return {"dict": {name: value_json(item) for name, item in value.items}}
    if isinstance(value, Array):
        data = [_number_json(item) for item in value.data]
        return {"array": {"shape": list(value.shape), "dtype": value.dtype, "data": data}}
    if isinstance(value, KerasObject):
        return {"keras": json.loads(value.text)}
    if isinstance(value, Imported):
        return {"import": value.name}
    if isinstance(value, Made):
        return {"made": {"name": value.name, **_arguments_json(value.arguments)}}
    return {"opaque": value.text}


def _number_json(item: Any) -> Any:
    return str(item) if isinstance(item, float) and not math.isfinite(item) else item


def _tensor_json(tensor: Tensor) -> dict[str, Any]:
    document: dict[str, Any] = {
        "shape": None if tensor.shape is None else list(tensor.shape),
        "dtype": tensor.dtype,
        "kind": tensor.kind.value,
        "range": None if tensor.range is None else list(tensor.range),
        "rank": tensor.rank,
    }
    if tensor.ragged_rank is not None:
        document["ragged_rank"] = tensor.ragged_rank
    if tensor.row_splits is not None:
        document["row_splits"] = tensor.row_splits
    if tensor.seen:
        document["seen"] = [list(shape) for shape in tensor.seen]
    return document


class _Reader:
    """Reads a document; each complaint says where in it."""

    def __init__(self, file: str) -> None:
        self._file = file

    def _wrong(self, where: str, message: str) -> NoReturn:
        place = f"{where}: " if where else ""
        raise RecordingError(f"{self._file}: {place}{message}; mend it there, or record again")

    def recording(self, document: Any, folder: str) -> Recording:
        if not isinstance(document, dict) or "tfmigrate_recording" not in document:
            raise RecordingError(
                f"{self._file}: is not a recording of tfmigrate; make one with `tfmigrate record -m pytest`"
            )
        version = document["tfmigrate_recording"]
        if not isinstance(version, int) or version > VERSION:
            raise RecordingError(
                f"{self._file}: was written by a later tfmigrate (format {version}, this one reads {VERSION}); "
                "upgrade tfmigrate, or record again with this one"
            )
        versions = self._get(document, "versions", dict, "", {})
        return Recording(
            self._all(document, "classes", self._class),
            self._all(document, "functions", self._function),
            {str(name): str(text) for name, text in versions.items()},
            folder,
        )

    def _all(self, document: dict[str, Any], key: str, read: Callable[[Any, str], T]) -> tuple[T, ...]:
        entries = self._get(document, key, list, "", [])
        return tuple(read(entry, f"{key}[{number}]") for number, entry in enumerate(entries))

    def _get(
        self, document: Any, key: str, kind: type[T] | tuple[type, ...], where: str, default: Any
    ) -> Any:
        """``document[key]``, which must be of ``kind``; ``default`` where it is missing, an error if that is ``...``."""
        if not isinstance(document, dict):
            self._wrong(where, "must be an object in { }")
        value = document.get(key, default)
        if value is ...:
            self._wrong(where, f"{key!r} is missing")
        if value is not default and not isinstance(value, kind):
            self._wrong(where, f"{key!r} is {json.dumps(value)[:60]}, which cannot be")
        return value

    def _class(self, entry: Any, where: str) -> RecordedClass:
        return RecordedClass(
            self._symbol(entry, where),
            self._get(entry, "file", str, where, ""),
            self._get(entry, "line", int, where, 0),
            self._constructor(self._get(entry, "constructor", dict, where, {}), f"{where}.constructor"),
            self._calls(entry, where),
            self._get(entry, "instances", int, where, 1),
            self._get(entry, "nested", bool, where, False),
        )

    def _function(self, entry: Any, where: str) -> RecordedFunction:
        owner = self._get(entry, "owner", dict, where, None)
        return RecordedFunction(
            self._symbol(entry, where),
            self._get(entry, "file", str, where, ""),
            self._get(entry, "line", int, where, 0),
            self._get(entry, "jit_compile", (bool, type(None)), where, None),
            self._get(entry, "has_signature", bool, where, False),
            self._get(entry, "traces", int, where, 0),
            self._calls(entry, where),
            None if owner is None else self._constructor(owner, f"{where}.owner"),
            self._get(entry, "wrappers", int, where, 1),
        )

    def _symbol(self, entry: Any, where: str) -> str:
        name: str = self._get(entry, "name", str, where, ...)
        if not all(name.partition(":")):
            self._wrong(where, f"the name {name!r} must be written as in 'pkg.net:Net'")
        return name

    def _constructor(self, entry: Any, where: str) -> Constructor:
        return Constructor(self._arguments(entry, where), self._get(entry, "from_config", bool, where, False))

    def _arguments(self, entry: Any, where: str) -> Arguments:
        args = self._get(entry, "args", list, where, [])
        kwargs = self._get(entry, "kwargs", dict, where, {})
        return Arguments(
            tuple(self.value(value, f"{where}.args[{n}]") for n, value in enumerate(args)),
            tuple((name, self.value(value, f"{where}.kwargs.{name}")) for name, value in kwargs.items()),
        )

    def _calls(self, entry: Any, where: str) -> tuple[Call, ...]:
        calls = self._get(entry, "calls", list, where, [])
        return tuple(self._call(call, f"{where}.calls[{number}]") for number, call in enumerate(calls))

    def _call(self, entry: Any, where: str) -> Call:
        caller = self._get(entry, "from", list, where, None)
        if caller is not None and [type(part) for part in caller] != [str, int]:
            self._wrong(where, "'from' must be a file and a line")
        return Call(
            self._arguments(entry, where),
            self._get(entry, "training", (bool, type(None)), where, None),
            self._get(entry, "mask", bool, where, False),
            self._word(CallMode, self._get(entry, "mode", str, where, "eager"), where),
            None if caller is None else (caller[0], caller[1]),
            self._get(entry, "count", int, where, 1),
            self._get(entry, "traces", int, where, 0),
            self._get(entry, "raised", (str, type(None)), where, None),
            self._sample(entry, where),
        )

    def _sample(self, entry: Any, where: str) -> str | None:
        sample: str | None = self._get(entry, "sample", (str, type(None)), where, None)
        if sample is not None and (Path(sample).is_absolute() or ".." in Path(sample).parts):
            self._wrong(where, f"the sample {sample!r} must lie below the recording's folder")
        return sample

    def _word(self, kind: type[T], word: str, where: str) -> T:
        known = {member.value: member for member in kind}  # type: ignore[attr-defined]
        if word not in known:
            self._wrong(where, f"{word!r} is none of {', '.join(known)}")
        found: T = known[word]
        return found

    def value(self, entry: Any, where: str) -> Value:
        if not isinstance(entry, dict) or len(entry) != 1:
            self._wrong(where, 'must be an object with one key, such as {"value": 3} or {"tensor": {...}}')
        [(key, content)] = entry.items()
        if key == "value" and isinstance(content, (bool, int, float, str, type(None))):
            return Scalar(content)
        if key == "float" and content in ("nan", "inf", "-inf"):
            return Scalar(float(content))
        if key in ("list", "tuple") and isinstance(content, list):
            items = tuple(self.value(item, f"{where}[{n}]") for n, item in enumerate(content))
            return ListOf(items) if key == "list" else TupleOf(items)
        if key == "dict" and isinstance(content, dict):
            return DictOf(
                tuple((name, self.value(item, f"{where}.{name}")) for name, item in content.items())
            )
        if key == "tensor":
            return self._tensor(content, where)
        if key == "array":
            return self._array(content, where)
        if key == "keras":
            return KerasObject(json.dumps(content, sort_keys=True))
        if key == "import" and isinstance(content, str) and all(content.partition(":")):
            return Imported(content)
        if key == "made" and isinstance(content, dict):
            return Made(self._symbol(content, where), self._arguments(content, where))
        if key == "opaque" and isinstance(content, str):
            return Opaque(content)
        return self._wrong(where, f"there is no value {json.dumps(entry)[:60]}")

    def _tensor(self, entry: Any, where: str) -> Tensor:
        shape = self._get(entry, "shape", (list, type(None)), where, None)
        bounds = self._get(entry, "range", (list, type(None)), where, None)
        if bounds is not None and not (len(bounds) == 2 and all(_is_number(bound) for bound in bounds)):
            self._wrong(where, "'range' must be the smallest and the largest value")
        return Tensor(
            None if shape is None else tuple(self._dim(dim, where) for dim in shape),
            self._get(entry, "dtype", str, where, ...),
            self._word(TensorKind, self._get(entry, "kind", str, where, "tensor"), where),
            None if bounds is None else (bounds[0], bounds[1]),
            tuple(self._seen(row, where) for row in self._get(entry, "seen", list, where, [])),
            self._get(entry, "ragged_rank", int, where, None),
            self._splits(self._get(entry, "row_splits", str, where, None), where),
        )

    def _splits(self, dtype: str | None, where: str) -> str | None:
        if dtype not in (None, "int32", "int64"):
            self._wrong(where, f"'row_splits' is {dtype!r}, neither int32 nor int64")
        return dtype

    def _dim(self, dim: Any, where: str) -> Dim:
        if dim is None or (isinstance(dim, str) and dim) or (type(dim) is int and dim >= 0):
            return dim
        return self._wrong(where, f"a dim must be a number, a name or null, not {json.dumps(dim)}")

    def _seen(self, row: Any, where: str) -> tuple[int | None, ...]:
        if not isinstance(row, list) or not all(dim is None or type(dim) is int for dim in row):
            self._wrong(where, "'seen' must be a list of shapes")
        return tuple(row)

    def _array(self, entry: Any, where: str) -> Array:
        shape = self._get(entry, "shape", list, where, ...)
        data = self._get(entry, "data", list, where, ...)
        if not all(type(dim) is int and dim >= 0 for dim in shape) or math.prod(shape) != len(data):
            self._wrong(where, f"an array of shape {shape} has not {len(data)} elements")
        if any(isinstance(item, (list, dict)) for item in data):
            self._wrong(where, "an array's data is one flat list")
        return Array(tuple(shape), self._get(entry, "dtype", str, where, ...), tuple(data))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
