"""Write what picks among functions and layers: a branch of the graph for each, of which the position that is drawn decides.

``tf.switch_case`` says it best. XLA aborts the process on the gradient of one whose branches differ (measured with
TensorFlow 2.21, in both flavours of Keras), so that code which XLA may compile gets ``tf.cond`` and ``tf.case``.
https://www.tensorflow.org/api_docs/python/tf/switch_case https://www.tensorflow.org/api_docs/python/tf/case
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from tfmigrate.draws.among import Among
from tfmigrate.draws.needs import Needs
from tfmigrate.draws.reading import Reading
from tfmigrate.draws.sources import Draw
from tfmigrate.draws.text import Rewriting, fresh, unused
from tfmigrate.unit import Unit

_ONCE = ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Return | ast.Expr
_PARTS = ast.Call | ast.keyword | ast.BinOp | ast.UnaryOp | ast.Compare | ast.Tuple | ast.List | ast.Subscript


@dataclass(slots=True)
class Switcher:
    """Writes the picks of one function."""

    unit: Unit
    rewriting: Rewriting
    reading: Reading
    tf: str
    is_compiled: bool
    taken: set[str]
    added: list[tuple[ast.stmt, str]] = field(default_factory=list)
    """Statements, and lines to be put before them."""
    moved: dict[int, ast.stmt] = field(default_factory=dict)
    """Draws that went into such lines."""
    names: dict[str, str] = field(default_factory=dict)

    def write(self, needs: Needs, draw: Draw) -> bool:
        """Write all that one draw picks; False where that cannot be."""
        for node in needs.positions.values():
            if isinstance(node, ast.Name):
                self.rewriting.replace(node, self.renamed(node.id))
        calls = list(needs.selections.values())
        for node in needs.positions.values():
            if isinstance(node, ast.Subscript) and not any(call.func is node for call in calls):
                self.rewriting.replace(node, self.rewriting.text(node.slice))
        for call in sorted(calls, key=lambda call: (call.end_lineno or 0, call.end_col_offset or 0)):
            text = self.switch(call, self.reading.selections[id(call)], draw)
            if text is None:
                return False
            self.rewriting.replace(call, text)
        return True

    def renamed(self, name: str) -> str:
        if name not in self.names:
            self.names[name] = fresh(f"{name}_index", self.taken)
        return self.names[name]

    def switch(self, call: ast.Call, found: Among, draw: Draw) -> str | None:
        """The expression for one call of what is picked."""
        place = call.func.slice if isinstance(call.func, ast.Subscript) else call.func
        index = self.rewriting.text(place)
        given = [self.rewriting.text(argument) for argument in call.args]
        given += [f"{keyword.arg}={self.rewriting.text(keyword.value)}" for keyword in call.keywords]
        arguments = ", ".join(given)
        if found.is_literal and any(isinstance(element, ast.Lambda) for element in found.elements):
            return None
        if not self.is_compiled:
            return f"{self.tf}.switch_case({index}, [{self.branches(found, arguments)}])"
        if len(found.elements) == 2 and not found.is_open:
            one, other = self.two(found)
            return f"{self.tf}.cond({index} == 0, lambda: {one}({arguments}), lambda: {other}({arguments}))"
        if not isinstance(place, ast.Name):
            moved = self.moved_out(call, index, draw)
            if moved is None:
                return None
            index = moved
        return f"{self.tf}.case([{self.cases(found, arguments, index)}])"

    def branches(self, found: Among, arguments: str) -> str:
        if found.is_literal:
            return ", ".join(f"lambda: {self.rewriting.text(e)}({arguments})" for e in found.elements)
        one = unused("branch", self.taken)
        return f"lambda {one}={one}: {one}({arguments}) for {one} in {self.rewriting.text(found.node)}"

    def cases(self, found: Among, arguments: str, index: str) -> str:
        if found.is_literal:
            return ", ".join(
                f"({index} == {number}, lambda: {self.rewriting.text(element)}({arguments}))"
                for number, element in enumerate(found.elements)
            )
        one, number = unused("branch", self.taken), unused("number", self.taken)
        return (
            f"({index} == {number}, lambda {one}={one}: {one}({arguments})) "
            f"for {number}, {one} in enumerate({self.rewriting.text(found.node)})"
        )

    def two(self, found: Among) -> tuple[str, str]:
        if found.is_literal:
            one, other = (self.rewriting.text(element) for element in found.elements)
            return one, other
        text = self.rewriting.text(found.node)
        return f"{text}[0]", f"{text}[1]"

    def moved_out(self, call: ast.Call, index: str, draw: Draw) -> str | None:
        """A name for the position, bound before the statement; None where that would draw more or less often."""
        node: ast.AST | None = self.unit.names.parent(call)
        while isinstance(node, _PARTS):
            node = self.unit.names.parent(node)
        if not isinstance(node, _ONCE):
            return None
        name = fresh("picked_index", self.taken)
        self.added.append((node, f"{name} = {index}"))
        self.moved[id(draw.call)] = node
        return name
