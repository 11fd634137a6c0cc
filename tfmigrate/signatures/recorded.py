"""What a recording says of the functions of a file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

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
from tfmigrate.signatures.conversions import Conversion, Place
from tfmigrate.signatures.functions import GraphFunction
from tfmigrate.signatures.values import PythonOf, Seen, SeveralOf, TensorOf, Unknown, Value

Made = Mapping[Place, Conversion]


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


def seen_calls(recorded: RecordedFunction, function: GraphFunction, made: Made) -> Iterator[Seen]:
    """The calls that raised nothing.

    ``made``: what the function makes tensors itself. A signature makes a list of numbers a tensor too, so such a list is
    one already.
    """
    names = [arg.arg for arg in function.parameters]
    for call in recorded.calls:
        if call.raised is None:
            yield _seen(call, names, made)


def has_lists(recorded: RecordedFunction, made: Made) -> bool:
    """Whether lists of numbers were handed over to a function that makes tensors of what it gets."""
    tensors = (tensor for call in recorded.calls for tensor in call.arguments.tensors())
    return bool(made) and any(tensor.kind is TensorKind.PYTHON for tensor in tensors)


def _seen(call: Call, names: list[str], made: Made) -> Seen:
    where = f"{call.caller[0]}:{call.caller[1]}" if call.caller is not None else "the recording"
    arguments = call.arguments
    recorded = dict(zip(names, arguments.args, strict=False))
    recorded.update(arguments.kwargs)
    given = {name: _listed(name, value, made) for name, value in recorded.items()}
    if len(arguments.args) > len(names) or not given.keys() <= set(names):
        return Seen(tuple((name, Unknown()) for name in names), where)
    return Seen(tuple(given.items()), where, call.traces > 1)


def _listed(name: str, value: RecordedValue, made: Made) -> Value:
    """The value of a parameter, or of a dict's items; lists as the tensors that they are made."""
    if isinstance(value, DictOf):
        items = tuple(_list(item, made.get((name, key))) for key, item in value.items)
        return SeveralOf("dict", tuple(key for key, _ in value.items), items)
    return _list(value, made.get((name, "")))


def _list(value: RecordedValue, conversion: Conversion | None) -> Value:
    is_list = isinstance(value, Tensor) and value.kind is TensorKind.PYTHON
    if not is_list or conversion is None or not isinstance(value, Tensor) or value.shape is None:
        return _value(value)
    return TensorOf(tuple(dim if isinstance(dim, int) else None for dim in value.shape), conversion.dtype)


def _value(value: RecordedValue) -> Value:
    if isinstance(value, Tensor):
        return _tensor(value)
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


def _tensor(value: Tensor) -> Value:
    if value.shape is None or value.kind is TensorKind.PYTHON:
        return Unknown()
    shape = tuple(dim if isinstance(dim, int) else None for dim in value.shape)
    if value.kind is TensorKind.SPARSE:
        return TensorOf(shape, value.dtype, "SparseTensor")
    if value.kind is not TensorKind.RAGGED:
        return TensorOf(shape, value.dtype)
    if not value.ragged_rank or value.row_splits is None:
        return Unknown()  # Recorded by an earlier version, or while Keras described a model.
    # Rows whose lengths happen to be equal are as ragged to a spec as others.
    ragged = (*shape[:1], *(None for _ in shape[1 : value.ragged_rank + 1]), *shape[value.ragged_rank + 1 :])
    return TensorOf(ragged, value.dtype, "RaggedTensor", value.ragged_rank, value.row_splits)
