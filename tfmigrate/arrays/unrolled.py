"""Loops that Python unrolls, as loops of the graph: only on request, from a number of turns on.

An unrolled loop is right and runs faster; it is traced and compiled once for each turn.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from tfmigrate.arrays.bodies import carried, is_pure
from tfmigrate.arrays.function import Function
from tfmigrate.arrays.loops import LoopNode
from tfmigrate.arrays.static import does_with_numbers
from tfmigrate.syntax import bound_names
from tfmigrate.walk import walk


@dataclass(frozen=True, slots=True)
class Unrolled:
    """The long loops of one function."""

    function: Function
    turns: int
    """From how many on a loop is long."""

    def loops(self) -> Iterator[ast.For]:
        """Loops over ``range`` of written-out numbers that are long, and would be the same as a part of the graph."""
        for node in walk(self.function.node):
            if isinstance(node, ast.For) and self.is_long(node) and self.is_alike(node):
                yield node

    def is_long(self, node: ast.For) -> bool:
        call = node.iter
        if (
            not isinstance(call, ast.Call)
            or self.function.tensors.callee(call) != "builtins.range"
            or call.keywords
        ):
            return False
        numbers = [self.number(argument) for argument in call.args]
        known = [number for number in numbers if number is not None]
        if not known or len(known) != len(numbers) or (len(known) == 3 and not known[2]):
            return False
        return len(range(*known)) >= self.turns

    def number(self, node: ast.expr) -> int | None:
        """A number that is written out: here, once in this function, or once in the module."""
        value = self.function.bindings.resolved(node)
        if isinstance(value, ast.Name) and value.id not in self.function.bindings.locals:
            bound = [
                statement.value
                for statement in self.function.unit.tree.body
                if isinstance(statement, ast.Assign) and value.id in bound_names(walk(statement))
            ]
            value = bound[0] if len(bound) == 1 else value
        try:
            number = ast.literal_eval(value)
        except ValueError:
            return None
        return number if type(number) is int else None

    def is_alike(self, node: ast.For) -> bool:
        """Whether nothing in the loop needs Python: the number only picks from tensors, what is carried are tensors."""
        if not isinstance(node.target, ast.Name) or node.orelse:
            return False
        calls = {id(part) for statement in node.body for part in walk(statement) if _is_addition(part)}
        if not is_pure(self.function.unit, node, calls):
            return False
        if any(isinstance(part, LoopNode | ast.If | ast.IfExp) for one in node.body for part in walk(one)):
            return False
        before = self.function.reading.before.get(id(node), {})
        grown = {part.func.value.id for one in node.body for part in walk(one) if _is_addition(part)}  # type: ignore[attr-defined]
        kept = carried(node.body) - grown
        if not all(name in before and before[name].is_tensor and before[name].dtype for name in kept):
            return False
        return does_with_numbers(self.function, node.target.id, list(node.body)) and self.only_picks(node)

    def only_picks(self, node: ast.For) -> bool:
        assert isinstance(node.target, ast.Name)
        for part in (part for statement in node.body for part in walk(statement)):
            if not isinstance(part, ast.Name) or part.id != node.target.id:
                continue
            above = self.function.unit.names.parent(part)
            while isinstance(above, ast.BinOp | ast.Tuple | ast.Slice):
                above = self.function.unit.names.parent(above)
            if not isinstance(above, ast.Subscript) or not self.function.tensors.is_tensor(above.value):
                return False
        return True


def _is_addition(node: ast.AST) -> bool:
    is_method = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    return (
        is_method
        and isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("append", "extend", "insert")
        and isinstance(node.func.value, ast.Name)
    )
