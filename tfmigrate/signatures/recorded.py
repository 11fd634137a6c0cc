"""What a recording says of the functions of a file."""

from __future__ import annotations

import os
from collections.abc import Iterator

from tfmigrate.record.model import (
    Array,
    Call,
    DictOf,
    ListOf,
    RecordedFunction,
    Recording,
    Scalar,
    Tensor,
    TensorKind,
    TupleOf,
)
from tfmigrate.record.model import Value as RecordedValue
from tfmigrate.signatures.functions import GraphFunction
from tfmigrate.signatures.values import PythonOf, Seen, SeveralOf, TensorOf, Unknown, Value


def recorded_function(recording: Recording, path: str, symbol: str) -> RecordedFunction | None:
    """What was recorded of the function; None where nothing was, or of several of that name."""
    here = os.path.realpath(path)
    found = [
        function
        for function in recording.functions
        if function.name.rpartition(":")[2] == symbol
        and os.path.realpath(os.path.join(recording.folder, function.file)) == here
    ]
    return found[0] if len(found) == 1 else None


def seen_calls(recorded: RecordedFunction, function: GraphFunction) -> Iterator[Seen]:
    """The calls that raised nothing."""
    names = [arg.arg for arg in function.parameters]
    for call in recorded.calls:
        if call.raised is None:
            yield _seen(call, names)


def _seen(call: Call, names: list[str]) -> Seen:
    where = f"{call.caller[0]}:{call.caller[1]}" if call.caller is not None else "the recording"
    arguments = call.arguments
    given = dict(zip(names, map(_value, arguments.args), strict=False))
    given.update((name, _value(value)) for name, value in arguments.kwargs)
    if len(arguments.args) > len(names) or not given.keys() <= set(names):
        return Seen(tuple((name, Unknown()) for name in names), where)
    return Seen(tuple(given.items()), where, call.traces > 1)


def _value(value: RecordedValue) -> Value:
    if isinstance(value, Tensor):
        is_dense = value.kind not in (TensorKind.RAGGED, TensorKind.SPARSE, TensorKind.PYTHON)
        if value.shape is None or not is_dense:
            return Unknown()
        return TensorOf(tuple(dim if isinstance(dim, int) else None for dim in value.shape), value.dtype)
    if isinstance(value, Scalar):
        return PythonOf(repr(value.value))
    if isinstance(value, Array):
        return TensorOf(value.shape, value.dtype)
    if isinstance(value, ListOf | TupleOf):
        kind = "list" if isinstance(value, ListOf) else "tuple"
        return SeveralOf(kind, ("",) * len(value.items), tuple(map(_value, value.items)))
    if isinstance(value, DictOf):
        return SeveralOf(
            "dict", tuple(name for name, _ in value.items), tuple(_value(v) for _, v in value.items)
        )
    return Unknown()
