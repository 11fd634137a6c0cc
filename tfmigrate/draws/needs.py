"""What the places of use ask of a draw."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

Condition = ast.If | ast.IfExp


@dataclass(slots=True)
class Needs:
    """What the places of use ask of a draw's dtype, and which branches depend on it."""

    dtypes: set[str] = field(default_factory=set)
    whole: bool = False
    fraction: bool = False
    conditions: dict[int, Condition] = field(default_factory=dict)
    meets: set[int] = field(default_factory=set)
    """Ids of other drawing calls that it is combined with."""
    conversions: dict[int, tuple[ast.Call | ast.UnaryOp, str]] = field(default_factory=dict)
    """What stands around a drawn value and has to be written anew: ``drop`` a call, or ``cast``, ``convert``, ``not``."""
    in_test: bool = False
    unknown: list[str] = field(default_factory=list)
    """Arguments and local values that it is combined with and that may be tensors of any type, or none."""
    gathers: dict[int, ast.Subscript] = field(default_factory=dict)
    """Where it is the index into written-out numbers, or into tensors of one type and shape."""
    selections: dict[int, ast.Call] = field(default_factory=dict)
    """Calls of a function or layer that it picks."""
    positions: dict[int, ast.expr] = field(default_factory=dict)
    """Names bound to what it picks, and subscripts that pick, which are to hold the position instead."""
    meetings: list[tuple[ast.expr, str, str]] = field(default_factory=list)
    """Where a tensor of an input's type is met: the drawn expression, code for the type (may be empty), its symbol."""


@dataclass(frozen=True, slots=True)
class Entry:
    """How the functions around the draw are entered."""

    returns_tensors: frozenset[int]
    """Ids of functions whose results TensorFlow makes tensors of anyway."""
