"""What ``call`` reads from the shape of its input, said in terms of ``build``'s ``input_shape``.

Keras gives ``build`` the shape of the first argument of ``call``: a tuple in Keras 3, a ``TensorShape`` in Keras 2, and
the same nesting of lists, tuples and dicts as the argument has. Only the last axis is taken: the batch and every axis
between may be None there. https://keras.io/api/layers/base_layer/#build-method
"""

from __future__ import annotations

import ast

from tfmigrate.blocked import Blocked
from tfmigrate.syntax import own_nodes
from tfmigrate.unit import Unit


class InputShapes:
    """Reads one ``call`` method; ``shape_name`` is what ``build`` calls its argument."""

    def __init__(self, unit: Unit, call: ast.FunctionDef | ast.AsyncFunctionDef, shape_name: str) -> None:
        self._unit = unit
        self._call = call
        self._shape_name = shape_name
        self._own = list(own_nodes(call))
        arguments = call.args.args
        self._input = arguments[1].arg if len(arguments) > 1 else ""

    def text(self, node: ast.expr) -> str | Blocked | None:
        """How ``build`` says ``node``; None if it is no reading of the input's shape."""
        match node:
            case ast.Subscript(value=value, slice=index) if shape := self._shape(value):
                axis = _integer(index)
                if axis != -1:
                    return Blocked("depends-on-unknown-dimension", ast.unparse(node))
                return f"{shape}[-1]"
            case ast.Call(func=func, args=[argument]) if self._unit.names.qualified(func) == "builtins.len":
                shape = self._shape(argument)
                return f"len({shape})" if shape else None
            case ast.Name(id=name, ctx=ast.Load()):
                return self._unpacked(name, node)
        return None

    def _unpacked(self, name: str, use: ast.Name) -> str | Blocked | None:
        """``c`` after ``_, h, w, c = inputs.shape``."""
        definition = self._definition(name)
        if definition is None or not isinstance(definition.targets[0], ast.Tuple):
            return None
        shape = self._shape(definition.value)
        if not shape or definition.lineno > use.lineno:
            return None
        elements = definition.targets[0].elts
        last = elements[-1]
        if isinstance(last, ast.Name) and last.id == name:
            return f"{shape}[-1]"
        return Blocked("depends-on-unknown-dimension", name)

    def _shape(self, node: ast.expr) -> str:
        """``input_shape`` (or an element of it) if ``node`` is the shape of the input (or of an element)."""
        match node:
            case ast.Attribute(value=tensor, attr="shape"):
                return self._tensor(tensor)
            case ast.Call(func=ast.Attribute(value=ast.Attribute() as shape, attr="as_list"), args=[]):
                return self._shape(shape)
            case ast.Call(func=ast.Attribute(value=tensor, attr="get_shape"), args=[]):
                return self._tensor(tensor)
            case ast.Call(func=func, args=[tensor]) if (
                self._unit.names.qualified(func) == "keras.backend.int_shape"
            ):
                return self._tensor(tensor)
            case ast.Name(id=name):
                definition = self._definition(name)
                if definition is not None and isinstance(definition.targets[0], ast.Name):
                    return self._shape(definition.value)
        return ""

    def _tensor(self, node: ast.expr) -> str:
        """The text of the shape of ``node``, which is the input or an element of it, untouched so far."""
        match node:
            case ast.Name(id=name) if name == self._input:
                return "" if self._is_reassigned(name, node) else self._shape_name
            case ast.Name(id=name):
                return self._element(name, node)
            case ast.Subscript(value=value, slice=ast.Constant(value=int() | str() as key)):
                container = self._tensor(value)
                return f"{container}[{key!r}]" if container else ""
        return ""

    def _element(self, name: str, use: ast.Name) -> str:
        """``b`` after ``a, b = inputs``; ``q`` after ``q = inputs["q"]``."""
        definition = self._definition(name)
        if definition is None or definition.lineno >= use.lineno:
            return ""
        target = definition.targets[0]
        container = self._tensor(definition.value)
        if not container:
            return ""
        if isinstance(target, ast.Name):
            return container
        assert isinstance(target, ast.Tuple | ast.List)
        if any(isinstance(element, ast.Starred) for element in target.elts):
            return ""
        names = [element.id if isinstance(element, ast.Name) else "" for element in target.elts]
        return f"{container}[{names.index(name)}]" if name in names else ""

    def _definition(self, name: str) -> ast.Assign | None:
        """The one assignment of a local name, as a whole or in a flat tuple; None if there are more."""
        found: list[ast.Assign] = []
        for node in self._own:
            if not isinstance(node, ast.Name) or node.id != name or isinstance(node.ctx, ast.Load):
                continue
            parent = self._unit.names.parent(node)
            if isinstance(parent, ast.Tuple | ast.List):
                parent = self._unit.names.parent(parent)
            if not isinstance(parent, ast.Assign) or len(parent.targets) != 1:
                return None
            found.append(parent)
        return found[0] if len(found) == 1 else None

    def _is_reassigned(self, name: str, use: ast.Name) -> bool:
        """Whether the input may be another tensor by the time of ``use``: assigned above it, or anywhere in its loop."""
        statement = self._statement(use)
        first = statement.lineno if statement is not None else use.lineno
        for node in self._own:
            if not isinstance(node, ast.Name) or node.id != name or isinstance(node.ctx, ast.Load):
                continue
            if node.lineno < first or self._shares_loop(node, use):
                return True
        return False

    def _statement(self, node: ast.AST) -> ast.stmt | None:
        parent: ast.AST | None = node
        while parent is not None and not isinstance(parent, ast.stmt):
            parent = self._unit.names.parent(parent)
        return parent

    def _shares_loop(self, one: ast.AST, other: ast.AST) -> bool:
        loops = {id(loop) for loop in self._loops(one)}
        return any(id(loop) in loops for loop in self._loops(other))

    def _loops(self, node: ast.AST) -> list[ast.AST]:
        found: list[ast.AST] = []
        parent = self._unit.names.parent(node)
        while parent is not None and parent is not self._call:
            if isinstance(parent, ast.For | ast.While):
                found.append(parent)
            parent = self._unit.names.parent(parent)
        return found


def _integer(node: ast.expr) -> int | None:
    if (
        isinstance(node, ast.UnaryOp)
        and isinstance(node.op, ast.USub)
        and isinstance(node.operand, ast.Constant)
    ):
        value = node.operand.value
        return -value if isinstance(value, int) else None
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    return None
