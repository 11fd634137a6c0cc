"""What is known of a value in traced code: whether it is a tensor, its dtype, and which draws it still holds.

A dtype is a name (``float32``), an input's (``x@3:8.dtype``: whatever the ``x`` of that place came with), a result's
of which nothing is known (``y@4:8?.dtype``), or empty: unknown. Python numbers have the dtypes ``float``, ``int`` and
``bool``.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tfmigrate.draws import ops
from tfmigrate.draws.among import Among


class Kind(enum.Enum):
    """What a value is."""

    TENSOR = "tensor"
    NUMBER = "number"
    TUPLE = "tuple or list"
    LAYER = "layer"
    LAYERS = "layers"
    TENSORS = "tensors in a tuple, list or dict"
    UNKNOWN = "unknown"
    UNBOUND = "bound on some ways only"
    PICKED = "a function, layer or tensor that a draw picks"
    SEVERAL = "several of them"


@dataclass(frozen=True, slots=True)
class Value:
    """What is known of one value."""

    kind: Kind = Kind.UNKNOWN
    dtype: str = ""
    draws: frozenset[int] = frozenset()
    """Ids of the drawing calls whose Python or NumPy numbers are in it."""
    items: tuple[Value, ...] = ()
    """The elements of a tuple or list that is written out."""
    among: Among | None = None
    """What a draw picks it from."""

    @property
    def is_tensor(self) -> bool:
        return self.kind is Kind.TENSOR

    @property
    def is_number(self) -> bool:
        return self.kind is Kind.NUMBER


UNKNOWN = Value()
UNBOUND = Value(Kind.UNBOUND)
PYTHON_DTYPES = {"float": "float32", "int": "int32", "bool": "bool"}


def tensor(dtype: str = "") -> Value:
    return Value(Kind.TENSOR, dtype)


def number(dtype: str) -> Value:
    return Value(Kind.NUMBER, dtype)


def as_tensor_dtype(value: Value) -> str:
    """The dtype that TensorFlow gives the value."""
    return (
        PYTHON_DTYPES.get(value.dtype, value.dtype)
        if value.is_number
        else value.dtype if value.is_tensor else ""
    )


def joined(one: Value, other: Value) -> Value:
    """What is known of a value that is one of two."""
    draws = one.draws | other.draws
    if one.kind is Kind.TUPLE and other.kind is Kind.TUPLE and len(one.items) == len(other.items):
        return Value(Kind.TUPLE, "", draws, tuple(map(joined, one.items, other.items)))
    if Kind.UNBOUND in (one.kind, other.kind):
        return Value(Kind.UNBOUND, "", draws)
    if one.kind is not other.kind or one.among is not other.among:
        return Value(Kind.UNKNOWN, "", draws)
    if one.among is not None:
        return Value(one.kind, "", draws, (), one.among)
    return Value(one.kind, one.dtype if one.dtype == other.dtype else "", draws)


Environment = dict[str, Value]


def named_dtype(dtype: str, known: Environment) -> str:
    """``x.dtype`` for an input's dtype and a tensor ``x`` that is known to have it; or nothing."""
    names = [name for name, value in known.items() if value.is_tensor and value.dtype == dtype]
    origin = dtype.partition("@")[0]
    best = origin if origin in names else names[0] if names else ""
    return f"{best}.dtype" if best else ""


def without_foreign(value: Value, given: list[Value]) -> Value:
    """Types of a callee's own parameters mean nothing in the caller."""
    known = {v.dtype for v in given}
    if value.kind is Kind.TUPLE:
        return replace(
            value, items=tuple(without_foreign(item, given) for item in value.items), draws=frozenset()
        )
    foreign = value.dtype.endswith(".dtype") and value.dtype not in known
    return Value(value.kind, "" if foreign else value.dtype)


def combined(left: Value, right: Value, operator: ast.operator) -> Value:
    draws = left.draws | right.draws
    if left.is_tensor or right.is_tensor:
        one, other = (left, right) if left.is_tensor else (right, left)
        dtype = one.dtype or (other.dtype if other.is_tensor else "")
        if isinstance(operator, ast.Div) and not (ops.is_float(dtype) or dtype.endswith(".dtype")):
            dtype = ""
        return tensor(dtype)
    if left.is_number and right.is_number:
        is_float = "float" in (left.dtype, right.dtype) or isinstance(operator, ast.Div)
        return Value(Kind.NUMBER, "float" if is_float else "int", draws)
    return Value(Kind.UNKNOWN, "", draws)


def indexed(base: Value, index: ast.expr, index_value: Value) -> Value:
    if base.is_tensor:
        is_key = isinstance(index, ast.Constant) and isinstance(index.value, str)
        return Value(Kind.TENSOR, "" if is_key else base.dtype)
    if base.kind is Kind.TENSORS:
        return tensor()
    if base.kind is Kind.LAYERS:
        return Value(Kind.LAYERS if isinstance(index, ast.Slice) else Kind.LAYER)
    position = index.value if isinstance(index, ast.Constant) else None
    if isinstance(position, int) and -len(base.items) <= position < len(base.items):
        return base.items[position]
    return Value(Kind.NUMBER if base.is_number else Kind.UNKNOWN, base.dtype, base.draws | index_value.draws)


def element(value: Value) -> Value:
    if value.is_tensor:
        return tensor(value.dtype)
    if value.kind is Kind.TENSORS:
        return tensor()
    if value.kind is Kind.LAYERS:
        return Value(Kind.LAYER)
    if value.kind is Kind.SEVERAL:
        return replace(value, kind=Kind.PICKED)
    if value.items:
        one = value.items[0]
        for other in value.items[1:]:
            one = joined(one, other)
        return one
    return Value(draws=value.draws)


def unpacked(value: Value) -> Value:
    """One of several values. An operation's results may each have a type of their own."""
    one = element(value)
    return replace(one, dtype="") if one.is_tensor and one.dtype.endswith("?.dtype") else one


def merge(env: Environment, ways: list[Environment]) -> None:
    names = {name for way in ways for name in way}
    for name in names:
        values = [way.get(name, UNBOUND) for way in ways]
        value = values[0]
        for other in values[1:]:
            value = joined(value, other)
        env[name] = value


def bound(env: Environment) -> Environment:
    """What is bound on all ways."""
    return {name: value for name, value in env.items() if value.kind is not Kind.UNBOUND}


def leaves(block: Sequence[ast.stmt]) -> bool:
    return bool(block) and isinstance(block[-1], ast.Return | ast.Raise | ast.Continue | ast.Break)
