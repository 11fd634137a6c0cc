"""What a call hands over, as far as it is known. Pure data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from tfmigrate.blocked import Blocked


@dataclass(frozen=True, slots=True)
class TensorOf:
    """A tensor, variable or NumPy array; or a ragged or sparse tensor."""

    shape: tuple[int | None, ...]
    """None: a size that is not known or not always the same."""
    dtype: str
    kind: str = "Tensor"
    """``Tensor``, ``RaggedTensor`` or ``SparseTensor``."""
    ragged_rank: int = 0
    row_splits: str = ""
    """The dtype of a ragged tensor's row splits."""


@dataclass(frozen=True, slots=True)
class PythonOf:
    """A Python value that is part of a trace's key; ``text`` is its source text."""

    text: str


@dataclass(frozen=True, slots=True)
class SeveralOf:
    """A list, tuple or dict; ``names`` are the dict's keys, "" for the others."""

    kind: str
    """``list``, ``tuple`` or ``dict``."""
    names: tuple[str, ...]
    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nothing is known of it."""


Value: TypeAlias = "TensorOf | PythonOf | SeveralOf | Unknown"


@dataclass(frozen=True, slots=True)
class Seen:
    """Calls with these arguments, by parameter. A parameter that is not there was left to its default."""

    given: tuple[tuple[str, Value], ...]
    where: str
    """``line 12``, ``tests/test_net.py:40``."""
    is_many: bool = False
    """Calls of several sizes: made in a loop, or recorded so."""


def folded(values: Iterable[Value], name: str) -> Value | Blocked:
    """What covers all of ``values`` of the parameter ``name``; sizes that differ become None."""
    first, *others = values
    for other in others:
        found = _joined(first, other, name)
        if isinstance(found, Blocked):
            return found
        first = found
    return first


def _joined(one: Value, other: Value, name: str) -> Value | Blocked:
    if isinstance(one, Unknown) or isinstance(other, Unknown):
        return Unknown()
    if isinstance(one, TensorOf) and isinstance(other, TensorOf):
        if one.kind != other.kind:
            return Blocked("structures-differ", f"{name}: {one.kind} and {other.kind}")
        if len(one.shape) != len(other.shape):
            return Blocked("ranks-differ", f"{name}: {len(one.shape)} and {len(other.shape)} axes")
        if one.dtype != other.dtype:
            return Blocked("dtypes-differ", f"{name}: {one.dtype} and {other.dtype}")
        if one.ragged_rank != other.ragged_rank:
            about = f"{name}: a ragged_rank of {one.ragged_rank} and of {other.ragged_rank}"
            return Blocked("ranks-differ", about)
        if one.row_splits != other.row_splits:
            return Blocked(
                "structures-differ", f"{name}: row splits of {one.row_splits} and {other.row_splits}"
            )
        dims = tuple(a if a == b else None for a, b in zip(one.shape, other.shape, strict=True))
        return replace(one, shape=dims)
    if isinstance(one, SeveralOf) and isinstance(other, SeveralOf):
        if (one.kind, one.names, len(one.items)) != (other.kind, other.names, len(other.items)):
            return Blocked("structures-differ", name)
        items: list[Value] = []
        for a, b in zip(one.items, other.items, strict=True):
            item = _joined(a, b, name)
            if isinstance(item, Blocked):
                return item
            items.append(item)
        return SeveralOf(one.kind, one.names, tuple(items))
    if isinstance(one, PythonOf) and isinstance(other, PythonOf):
        return one if one == other else Blocked("python-value", name)
    return Blocked("structures-differ", name)


def leaves(value: Value) -> Iterator[Value]:
    """The value, or what is in it."""
    if isinstance(value, SeveralOf):
        for item in value.items:
            yield from leaves(item)
    else:
        yield value


def is_varied(value: Value) -> bool:
    """Whether a size of it is not always the same."""
    return any(isinstance(leaf, TensorOf) and None in leaf.shape for leaf in leaves(value))
