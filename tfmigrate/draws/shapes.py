"""Shapes and bounds that are read from tensors: ``x.shape`` becomes ``tf.shape(x)`` where a dimension may be unknown."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from tfmigrate.draws.reading import Reading
from tfmigrate.draws.text import Rewriting
from tfmigrate.syntax import FunctionNode, bound_names, own_nodes
from tfmigrate.unit import Unit
from tfmigrate.walk import walk


@dataclass(frozen=True, slots=True)
class Dimensions:
    """Writes shapes inside of one function."""

    unit: Unit
    rewriting: Rewriting
    reading: Reading
    function: FunctionNode
    tf: str

    def shape(self, node: ast.expr) -> str | None:
        """The text of a shape from NumPy's ``size``; None where it is unclear whether it is a number or a shape."""
        if isinstance(node, ast.Constant) and node.value is None:
            return "[]"
        if isinstance(node, ast.Tuple | ast.List):
            return self.listed(node.elts)
        whole = self.shape_of(node)
        if whole is not None:
            return whole
        is_dimension = self.read(node) is not None or self.reading.of(node).is_number
        return f"[{self.dimension(node)}]" if is_dimension else None

    def listed(self, nodes: list[ast.expr]) -> str | None:
        """``[a, b]`` for dimensions that are given one by one."""
        if any(isinstance(node, ast.Starred) for node in nodes):
            return None
        return f"[{', '.join(self.dimension(node) for node in nodes)}]"

    def shape_of(self, node: ast.expr) -> str | None:
        """``tf.shape(x)`` for ``x.shape``, sliced or not, or for a name bound to it."""
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            whole = self.shape_of(node.value)
            return f"{whole}[{ast.unparse(node.slice)}]" if whole is not None else None
        if isinstance(node, ast.Attribute) and node.attr == "shape" and _is_chain(node.value):
            return f"{self.tf}.shape({self.rewriting.text(node.value)})"
        name = self.unit.names.qualified(node.func) if isinstance(node, ast.Call) else ""
        if name == "tensorflow.shape":
            return self.rewriting.text(node)
        return None

    def dimension(self, node: ast.expr) -> str:
        """One dimension or bound."""
        read = self.read(node)
        if read is not None:
            return read
        for part in walk(node):
            if isinstance(part, ast.expr) and part is not node and id(part) not in self.rewriting.new:
                found = self.read(part)
                if found is not None:
                    self.rewriting.replace(part, found)
        return self.rewriting.text(node)

    def read(self, node: ast.expr) -> str | None:
        """``tf.shape(x)[i]`` for ``x.shape[i]``, ``len(x)`` of a tensor, or a name that holds one of them."""
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
            whole = self.shape_of(node.value)
            return f"{whole}[{ast.unparse(node.slice)}]" if whole is not None else None
        if (
            isinstance(node, ast.Call)
            and self.unit.names.qualified(node.func) == "builtins.len"
            and node.args
        ):
            value = self.reading.of(node.args[0])
            return f"{self.tf}.shape({self.rewriting.text(node.args[0])})[0]" if value.is_tensor else None
        if isinstance(node, ast.Name):
            return self.named(node)
        return None

    def named(self, node: ast.Name) -> str | None:
        bindings = [
            statement
            for statement in own_nodes(self.function)
            if isinstance(statement, ast.stmt) and node.id in bound_names(_targets(statement))
        ]
        if len(bindings) != 1 or not isinstance(bindings[0], ast.Assign) or len(bindings[0].targets) != 1:
            return None
        target, value = bindings[0].targets[0], bindings[0].value
        tensor = value.value if isinstance(value, ast.Subscript) else value
        holder = tensor.value if isinstance(tensor, ast.Attribute) and tensor.attr == "shape" else None
        if not isinstance(holder, ast.Name) or self.is_rebound(holder.id, bindings[0], node):
            return None
        if isinstance(target, ast.Name) and isinstance(value, ast.Subscript):
            return self.read(value)
        if isinstance(target, ast.Tuple | ast.List) and value is tensor:
            names = [element.id if isinstance(element, ast.Name) else "" for element in target.elts]
            return f"{self.tf}.shape({holder.id})[{names.index(node.id)}]" if all(names) else None
        return None

    def is_rebound(self, name: str, since: ast.stmt, until: ast.expr) -> bool:
        """Whether ``name`` may get another value between the two."""
        above = self.unit.names.parent(until)
        while above is not None and above is not self.function:
            if isinstance(above, ast.For | ast.While | ast.Lambda | ast.FunctionDef):
                return name in bound_names(own_nodes(self.function))
            above = self.unit.names.parent(above)
        stores = [
            n
            for n in own_nodes(self.function)
            if isinstance(n, ast.stmt) and name in bound_names(_targets(n))
        ]
        return any(since.lineno <= store.lineno <= until.lineno for store in stores)


def _targets(statement: ast.stmt) -> list[ast.AST]:
    if isinstance(statement, ast.Assign):
        return [node for target in statement.targets for node in walk(target)]
    if isinstance(statement, ast.AugAssign | ast.AnnAssign | ast.For):
        return list(walk(statement.target))
    return [statement] if not isinstance(statement, ast.If | ast.While | ast.With | ast.Try) else []


def _is_chain(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)
