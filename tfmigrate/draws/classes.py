"""What a class's ``__init__`` and ``build`` keep on ``self``, as far as draws meet it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfmigrate.project.index import Kind
from tfmigrate.syntax import defaults, self_attribute
from tfmigrate.unit import Unit
from tfmigrate.walk import walk


def method_of(unit: Unit, node: ast.AST) -> ast.FunctionDef | None:
    """The method of a class that holds ``node``, at any depth."""
    for function in unit.names.functions_around(node):
        if isinstance(function, ast.FunctionDef) and isinstance(unit.names.parent(function), ast.ClassDef):
            return function
    return None


def receiver_of(method: ast.FunctionDef) -> str:
    return method.args.args[0].arg if method.args.args else ""


def assignments(unit: Unit, node: ast.AST, attribute: str) -> Iterator[tuple[ast.FunctionDef, ast.Assign]]:
    """All plain assignments to ``self.attribute`` in the class around ``node``."""
    owner = unit.names.enclosing_class(node)
    if owner is not None:
        yield from _assigned(owner).get(attribute, ())


def _assigned(owner: ast.ClassDef) -> dict[str, list[tuple[ast.FunctionDef, ast.Assign]]]:
    """Attribute -> assignments to it; kept with the class, whose tree never changes."""
    found: dict[str, list[tuple[ast.FunctionDef, ast.Assign]]] | None = owner.__dict__.get("_assigned")
    if found is None:
        found = owner.__dict__["_assigned"] = {}
        for method in owner.body:
            if not isinstance(method, ast.FunctionDef):
                continue
            for statement in walk(method):
                for target in statement.targets if isinstance(statement, ast.Assign) else ():
                    attribute = self_attribute(target, receiver_of(method))
                    if attribute:
                        assert isinstance(statement, ast.Assign)
                        found.setdefault(attribute, []).append((method, statement))
    return found


def attribute_value(unit: Unit, node: ast.Attribute) -> str:
    """``layer`` or ``layers`` where ``self.x`` is made of layers in the class, ``variable`` where it is a variable or a
    weight, ``float``, ``int`` or ``bool`` where it is a number (a literal, or a parameter whose default is one);
    else the empty string."""
    method = method_of(unit, node)
    attribute = self_attribute(node, receiver_of(method)) if method is not None else ""
    if not attribute:
        return ""
    kinds = {
        _kind_of(unit, method, statement.value)
        for method, statement in assignments(unit, node, attribute)
        if not (isinstance(statement.value, ast.Constant) and statement.value.value is None)
    }
    return kinds.pop() if len(kinds) == 1 else ""


def called_method(unit: Unit, call: ast.Call) -> str | None:
    """The qualified name in the module of the method that ``self.method(...)`` calls; None if a subclass may differ."""
    return method_named(unit, call.func)


def method_named(unit: Unit, node: ast.expr) -> str | None:
    """The qualified name in the module of the method that ``self.method`` means; None if a subclass may differ."""
    holder = method_of(unit, node)
    attribute = self_attribute(node, receiver_of(holder)) if holder is not None else ""
    owner = unit.names.enclosing_class(node)
    if not attribute or owner is None:
        return None
    name = unit.names.qualname(owner)
    is_final = not unit.index.subclasses(unit.qualified(name))
    return f"{name}.{attribute}" if is_final and f"{name}.{attribute}" in unit.functions else None


def literal_kind(value: ast.expr) -> str:
    """``float``, ``int`` or ``bool`` for a literal number, with or without a sign."""
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub | ast.UAdd):
        value = value.operand
    kind = type(value.value).__name__ if isinstance(value, ast.Constant) else ""
    return kind if kind in ("float", "int", "bool") else ""


def _kind_of(unit: Unit, method: ast.FunctionDef, value: ast.expr) -> str:
    if isinstance(value, ast.Constant | ast.UnaryOp):
        return literal_kind(value)
    if isinstance(value, ast.Name):
        default = defaults(method).get(value.id)
        return literal_kind(default) if default is not None else ""
    if isinstance(value, ast.Call):
        if self_attribute(value.func, receiver_of(method)) in ("add_weight", "add_variable"):
            return "variable"
        if unit.names.qualified(value.func) == "tensorflow.Variable":
            return "variable"
        return "layer" if is_layer(unit, value) else ""
    elements = value.elts if isinstance(value, ast.List | ast.Tuple) else []
    if isinstance(value, ast.ListComp):
        elements = [value.elt]
    made = [isinstance(element, ast.Call) and is_layer(unit, element) for element in elements]
    return "layers" if made and all(made) else ""


def is_layer(unit: Unit, call: ast.Call) -> bool:
    """Whether the call makes a Keras layer or model whose output has its input's type."""
    name = unit.names.qualified(call.func) or ""
    if name.endswith(
        ("Embedding", "Hashing", "Discretization", "Lookup", "TextVectorization", "CategoryEncoding")
    ):
        return False
    return bool(name) and unit.index.kind(name) in (Kind.LAYER, Kind.MODEL)
