"""Conditions that a tensor decides, as boolean tensors; Python's half of them apart."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from tfmigrate import tables
from tfmigrate.blocked import Blocked
from tfmigrate.draws.text import Rewriting, is_loose
from tfmigrate.flow.kinds import Kinds
from tfmigrate.walk import walk


class CannotLower(Exception):
    """Why something cannot be written with TensorFlow; caught where a whole function is decided on."""

    def __init__(self, reason: str, about: ast.AST | str = "") -> None:
        text = about if isinstance(about, str) else ast.unparse(about).splitlines()[0]
        super().__init__(reason)
        self.blocked = Blocked(reason, text)
        self.place: ast.AST | None = None
        """The place whose rewriting failed, once known."""


@dataclass(frozen=True, slots=True)
class Condition:
    """``guard`` is decided by Python before the tensor is looked at; empty where there is none."""

    guard: str
    tensor: str
    is_or: bool = False
    """The tensor only decides where the guard says no."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """Writes the conditions of one function."""

    kinds: Kinds
    rewriting: Rewriting
    tf: str

    def parted(self, node: ast.expr) -> Condition:
        """The condition as Python's half and a boolean tensor.

        Raises:
            CannotLower: they cannot be parted.
        """
        if isinstance(node, ast.BoolOp) and not all(map(self.kinds.is_tensor, node.values)):
            python = [value for value in node.values if not self.kinds.is_tensor(value)]
            tensors = [value for value in node.values if self.kinds.is_tensor(value)]
            if any(has_effect(value) for value in node.values):
                raise CannotLower("condition", node)
            is_or = isinstance(node.op, ast.Or)
            guard = (" or " if is_or else " and ").join(self.operand(value) for value in python)
            return Condition(guard, self.joined(tensors, node.op), is_or)
        return Condition("", self.truth(node))

    def truth(self, node: ast.expr) -> str:
        """A boolean tensor for a condition that tensors alone decide.

        Raises:
            CannotLower: Python decides a part of it.
        """
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return f"{self.tf}.logical_not({self.truth(operand)})"
            case ast.BoolOp(values=values, op=op):
                return self.joined(values, op)
            case ast.Compare(left=left, ops=[_, _, *_] as operators, comparators=others):
                return self.chained(node, [left, *others], operators)
            case ast.NamedExpr():
                raise CannotLower("condition", node)
        if not self.kinds.is_tensor(node):
            raise CannotLower("condition", node)
        text = self.rewriting.text(node)
        return text if self.kinds.is_bool(node) else f"{self.tf}.cast({text}, {self.tf}.bool)"

    def joined(self, values: list[ast.expr], op: ast.boolop) -> str:
        """``and`` and ``or``. What is unsafe to compute where an earlier part has decided is computed in a branch."""
        is_and = isinstance(op, ast.And)
        whole = self.truth(values[-1])
        for value, later in zip(values[-2::-1], values[:0:-1], strict=True):
            first = self.truth(value)
            if is_safe(later):
                whole = f"{self.tf}.logical_{'and' if is_and else 'or'}({first}, {whole})"
            elif is_and:
                whole = f"{self.tf}.cond({first}, lambda: {whole}, lambda: {self.tf}.constant(False))"
            else:
                whole = f"{self.tf}.cond({first}, lambda: {self.tf}.constant(True), lambda: {whole})"
        return whole

    def chained(self, node: ast.Compare, parts: list[ast.expr], operators: list[ast.cmpop]) -> str:
        """``a < b < c``."""
        if any(has_effect(part) for part in parts[1:-1]):
            raise CannotLower("condition", node)
        texts = [self.operand(part) for part in parts]
        whole = ""
        for left, operator, right in zip(texts, operators, texts[1:], strict=False):
            one = f"{left} {_SIGNS[type(operator)]} {right}"
            whole = f"{self.tf}.logical_and({whole}, {one})" if whole else one
        return whole

    def operand(self, node: ast.expr) -> str:
        text = self.rewriting.text(node)
        loose = ast.BoolOp | ast.IfExp | ast.Lambda
        return f"({text})" if isinstance(node, loose) and is_loose(text) else text


_SIGNS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}


_HARMLESS = tables.words("""
    reduce_all reduce_any reduce_max reduce_min reduce_sum reduce_mean abs size shape rank cast equal less greater is_nan
    is_inf is_finite logical_and logical_or logical_not not_equal less_equal greater_equal norm
    """)


def is_safe(node: ast.expr) -> bool:
    """Whether computing it does no harm where Python would not have: no index, no quotient, no unknown call."""
    for part in walk(node):
        if isinstance(part, ast.Subscript) and not _is_shape(part.value):
            return False
        if isinstance(part, ast.BinOp) and isinstance(
            part.op, ast.Div | ast.FloorDiv | ast.Mod | ast.MatMult
        ):
            return False
        if isinstance(part, ast.Call):
            last = part.func.attr if isinstance(part.func, ast.Attribute) else ""
            if last not in _HARMLESS:
                return False
    return True


def _is_shape(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute) and node.func.attr == "shape"
    return isinstance(node, ast.Attribute) and node.attr == "shape"


def has_effect(node: ast.expr) -> bool:
    """Whether computing it twice, or later, may matter."""
    return any(isinstance(part, ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom) for part in walk(node))
