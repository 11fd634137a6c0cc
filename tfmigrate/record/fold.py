"""Many observations into one: calls that differ in sizes only are folded, recordings are merged. Pure.

A dim that is the same in all observations stays a number. Dims that were equal to each other in each observation
while they varied share a symbol; a dim that varied alone is unknown. One observation proves nothing: two dims of
size 4 are two fours until a second call moves both.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

from tfmigrate.record.model import (
    Arguments,
    Call,
    DictOf,
    Dim,
    ListOf,
    Made,
    RecordedClass,
    RecordedFunction,
    Recording,
    Tensor,
    TupleOf,
    Value,
)

T = TypeVar("T")

SEEN = 4
"""Shapes that a folded call keeps as examples."""


def merged(recordings: Iterable[Recording]) -> Recording:
    """All of ``recordings`` in one, in their order; those of other processes or of an earlier run alike."""
    recordings = tuple(recordings)
    classes: dict[Hashable, RecordedClass] = {}
    functions: dict[Hashable, RecordedFunction] = {}
    versions: dict[str, str] = {}
    for recording in recordings:
        versions.update(recording.versions)
        for cls in recording.classes:
            # As text: 1, 1.0 and True are equal to Python, and three models to Keras.
            key: Hashable = (cls.name, cls.file, repr(cls.constructor))
            old = classes.get(key)
            classes[key] = cls if old is None else _joined_classes(old, cls)
        for function in recording.functions:
            key = (function.name, function.file)
            known = functions.get(key)
            functions[key] = function if known is None else _joined_functions(known, function)
    folder = recordings[0].folder if recordings else ""
    return Recording(tuple(classes.values()), tuple(functions.values()), versions, folder)


def folded(calls: Iterable[Call]) -> tuple[Call, ...]:
    """One call for each structure among ``calls``."""
    found: dict[Hashable, Call] = {}
    for call in calls:
        key = structure(call)
        old = found.get(key)
        found[key] = call if old is None else joined(old, call)
    return tuple(found.values())


def structure(call: Call) -> Hashable:
    """What two calls must have in common to be folded: everything but sizes, ranges, counts and places."""
    arguments = call.arguments
    raised = call.raised and call.raised.partition(":")[0]
    return (
        tuple(_kind(value) for value in arguments.args),
        tuple((name, _kind(value)) for name, value in sorted(arguments.kwargs, key=lambda item: item[0])),
        call.training,
        call.mask,
        call.mode,
        raised,
    )


def _kind(value: Value) -> Hashable:
    if isinstance(value, Tensor):
        return ("tensor", value.rank, value.dtype, value.kind, value.ragged_rank, value.row_splits)
    if isinstance(value, (ListOf, TupleOf)):
        return (type(value).__name__, tuple(_kind(item) for item in value.items))
    if isinstance(value, DictOf):
        return ("dict", tuple((name, _kind(item)) for name, item in value.items))
    if isinstance(value, Made):
        keywords = tuple((name, _kind(item)) for name, item in value.arguments.kwargs)
        return ("made", value.name, tuple(_kind(item) for item in value.arguments.args), keywords)
    # 1, 1.0 and True are equal to Python, and three structures to TensorFlow.
    return (type(value).__name__, type(getattr(value, "value", None)).__name__, value)


def joined(left: Call, right: Call) -> Call:
    """Two calls of one structure as one."""
    tensors = _joined_tensors(left.arguments.tensors(), _in_order(right.arguments, left.arguments).tensors())
    return replace(
        left,
        arguments=_with_tensors(left.arguments, iter(tensors)),
        count=left.count + right.count,
        traces=left.traces + right.traces,
        sample=left.sample or right.sample,
    )


def _in_order(arguments: Arguments, like: Arguments) -> Arguments:
    """``arguments`` with its keywords in the order of ``like``."""
    given = dict(arguments.kwargs)
    return replace(arguments, kwargs=tuple((name, given[name]) for name, _ in like.kwargs))


def _joined_tensors(left: tuple[Tensor, ...], right: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
    """Tensor n of one call and tensor n of the other: their shapes folded over all positions together."""
    columns = list(zip(_tokens(left), _tokens(right), strict=True))
    sharing: dict[Hashable, int] = {}
    for column in columns:
        sharing[column] = sharing.get(column, 0) + 1
    names: dict[Hashable, str] = {}
    dims = iter([_dim(column, sharing[column], names) for column in columns])
    shapes = [None if tensor.shape is None else tuple(next(dims) for _ in tensor.shape) for tensor in left]
    examples = _examples(left, right)
    return tuple(
        replace(old, shape=shape, range=_joined_range(old.range, new.range), seen=seen)
        for old, new, shape, seen in zip(left, right, shapes, examples, strict=True)
    )


def _tokens(tensors: tuple[Tensor, ...]) -> Iterator[Hashable]:
    """Each dim of ``tensors`` in turn; an unknown one is equal to no other."""
    for number, tensor in enumerate(tensors):
        for axis, dim in enumerate(tensor.shape or ()):
            yield ("unknown", number, axis) if dim is None else dim


def _dim(column: tuple[Hashable, Hashable], shared_by: int, names: dict[Hashable, str]) -> Dim:
    left, right = column
    if isinstance(left, int) and left == right:
        return left
    if shared_by == 1:
        return None
    return names.setdefault(column, _symbol(len(names)))


def _symbol(number: int) -> str:
    return "bmnpqrstuvw"[number] if number < 11 else f"d{number}"


def _examples(
    left: tuple[Tensor, ...], right: tuple[Tensor, ...]
) -> list[tuple[tuple[int | None, ...], ...]]:
    """The ``seen`` of each tensor, over both calls; nothing where all sizes are the same."""
    rows = list(dict.fromkeys((*_rows(left), *_rows(right))))
    if len(rows) < 2:
        return [() for _ in left]
    return [tuple(row[number] or () for row in rows[:SEEN]) for number in range(len(left))]


def _rows(tensors: tuple[Tensor, ...]) -> list[tuple[tuple[int | None, ...] | None, ...]]:
    """The shapes of all tensors, one row for each call that is known."""
    kept = max((len(tensor.seen) for tensor in tensors), default=0)
    if kept:
        return [
            tuple(tensor.seen[n] if n < len(tensor.seen) else None for tensor in tensors) for n in range(kept)
        ]
    return [
        tuple(
            None if t.shape is None else tuple(d if isinstance(d, int) else None for d in t.shape)
            for t in tensors
        )
    ]


def _joined_range(
    left: tuple[float, float] | None, right: tuple[float, float] | None
) -> tuple[float, float] | None:
    if left is None or right is None:
        return left or right
    return min(left[0], right[0]), max(left[1], right[1])


def with_tensors(arguments: Arguments, tensors: Iterable[Tensor]) -> Arguments:
    """``arguments`` with other tensors in the places of theirs, in order."""
    return _with_tensors(arguments, iter(tensors))


def _with_tensors(arguments: Arguments, tensors: Iterator[Tensor]) -> Arguments:
    return Arguments(
        tuple(_replaced(value, tensors) for value in arguments.args),
        tuple((name, _replaced(value, tensors)) for name, value in arguments.kwargs),
    )


def _replaced(value: Value, tensors: Iterator[Tensor]) -> Value:
    if isinstance(value, Tensor):
        return next(tensors)
    if isinstance(value, (ListOf, TupleOf)):
        return replace(value, items=tuple(_replaced(item, tensors) for item in value.items))
    if isinstance(value, DictOf):
        return DictOf(tuple((name, _replaced(item, tensors)) for name, item in value.items))
    if isinstance(value, Made):
        return replace(value, arguments=_with_tensors(value.arguments, tensors))
    return value


def _joined_classes(left: RecordedClass, right: RecordedClass) -> RecordedClass:
    return replace(
        left,
        line=right.line,
        calls=folded((*left.calls, *right.calls)),
        instances=left.instances + right.instances,
        is_nested=left.is_nested and right.is_nested,
    )


def _joined_functions(left: RecordedFunction, right: RecordedFunction) -> RecordedFunction:
    return replace(
        right,
        traces=left.traces + right.traces,
        calls=folded((*left.calls, *right.calls)),
        owner=left.owner or right.owner,
        wrappers=max(left.wrappers, right.wrappers),
    )
