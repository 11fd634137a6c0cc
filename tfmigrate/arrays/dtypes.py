"""The dtype of an array, from all that is written into it; and the shape of its elements where that is certain."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from tfmigrate.arrays.function import Function
from tfmigrate.arrays.operations import SAME_SHAPE
from tfmigrate.blocked import Blocked
from tfmigrate.draws.values import PYTHON_DTYPES, Value


@dataclass(frozen=True, slots=True)
class Elements:
    """What is known of a list's elements."""

    function: Function
    values: Sequence[ast.expr]
    loop: ast.stmt | None
    """The outermost loop of the graph around the additions."""
    added: Sequence[tuple[ast.expr, Value]] = ()
    """What functions add that get the list as an argument."""

    def dtype(self) -> str | Blocked:
        """A dtype's name or the symbol of a tensor's."""
        tensors: set[str] = set()
        numbers: set[str] = set()
        parts = [part for node in self.values for part in self.parts(node)]
        for node, value in [*parts, *self.added]:
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                tensors.add("string")
            elif value.is_number:
                numbers.add(value.dtype)
            elif value.is_tensor and value.dtype:
                tensors.add(value.dtype)
            else:
                return Blocked("dtype-unknown", ast.unparse(node))
        concrete = {dtype for dtype in tensors if not dtype.endswith(".dtype")}
        if len(concrete) > 1:
            return Blocked("dtypes-differ", ", ".join(ast.unparse(node) for node in self.expressions))
        if tensors:
            # All of them are packed into one tensor afterwards, so they are of one dtype.
            return min(concrete or tensors)
        if "bool" in numbers and len(numbers) > 1:
            return Blocked("dtypes-differ", ", ".join(ast.unparse(node) for node in self.expressions))
        return "float32" if "float" in numbers else PYTHON_DTYPES[numbers.pop()]

    @property
    def expressions(self) -> list[ast.expr]:
        return [*self.values, *(node for node, _ in self.added)]

    def parts(self, node: ast.expr) -> list[tuple[ast.expr, Value]]:
        """The element, or what a list or tuple is made of that is written as one tensor."""
        if not isinstance(node, ast.List | ast.Tuple) or not node.elts:
            return [(node, self.value(node))]
        return [part for element in node.elts for part in self.parts(element)]

    def value(self, node: ast.expr) -> Value:
        """What is known of an element; a variable that a loop of the graph carries has the dtype that it came with."""
        value = self.function.reading.of(node)
        if isinstance(node, ast.Name) and self.loop is not None:
            before = self.function.reading.before.get(id(self.loop), {}).get(node.id)
            is_vague = not value.is_tensor or not value.dtype or value.dtype.endswith("?.dtype")
            if is_vague and before is not None and before.is_tensor and before.dtype:
                return before
        return value

    def rank(self) -> int | None:
        """The rank of the elements."""
        ranks = {self.function.tensors.rank(node) for node in self.values}
        if self.added:
            return None
        return ranks.pop() if len(ranks) == 1 else None

    def carried_rank(self) -> int | None:
        """The rank of the elements, if a variable that the graph's loop carries has the rank that it came with."""
        rank = self.rank()
        if rank is not None or len(self.values) != 1 or self.added:
            return rank
        node, loop = self.values[0], self.loop
        if not isinstance(node, ast.Name) or loop is None:
            return None
        bindings = self.function.bindings.of(node.id)
        before = [one for one in bindings if one.statement.lineno < loop.lineno]
        ranks = {self.function.tensors.rank_given(one) for one in before}
        return ranks.pop() if len(ranks) == 1 and len(before) < len(bindings) else None

    def shape(self) -> tuple[str, str]:
        """Code for the elements' shape and the name that it is of; empty where it is not certain."""
        if self.rank() == 0:
            return "[]", ""
        sources = {self.row_of(node) for node in self.values}
        source = sources.pop() if len(sources) == 1 and not self.added else ""
        return (f"{source}.shape[1:]", source) if source else ("", "")

    def row_of(self, node: ast.expr) -> str:
        """``x`` where the element is ``x[i]``, or something of the same shape."""
        tensors, bindings = self.function.tensors, self.function.bindings
        if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
            return self.row_of(node.args[0]) if tensors.callee(node) in SAME_SHAPE else ""
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            is_one = tensors.is_index(node.slice) and not isinstance(node.slice, ast.Slice | ast.Tuple)
            return node.value.id if is_one and tensors.is_tensor(node.value) else ""
        if isinstance(node, ast.Name):
            value = bindings.only(node.id)
            if value is not None:
                return self.row_of(value)
            if isinstance(self.loop, ast.For) and len(bindings.of(node.id)) == 1:
                is_row = isinstance(self.loop.target, ast.Name) and self.loop.target.id == node.id
                iterated = self.loop.iter
                if is_row and isinstance(iterated, ast.Name) and tensors.is_tensor(iterated):
                    return iterated.id
        return ""
