"""Questions about the place where an expression stands, and about the names in it."""

from __future__ import annotations

import ast

from tfmigrate.draws.classes import method_of, receiver_of
from tfmigrate.syntax import bound_names, own_nodes, parameters
from tfmigrate.unit import Unit
from tfmigrate.walk import walk


def is_bound_once(unit: Unit, name: ast.Name) -> bool:
    """Whether nothing else in the function binds the name."""
    function = unit.names.enclosing_function(name)
    return (
        function is not None
        and sum(
            isinstance(part, ast.Name) and part.id == name.id and not isinstance(part.ctx, ast.Load)
            for part in walk(function)
        )
        == 1
    )


def is_drawn_itself(unit: Unit, node: ast.expr, key: int) -> bool:
    """Whether the expression is the draw, or a name for it and nothing else."""
    if id(node) == key:
        return True
    if not isinstance(node, ast.Name):
        return False
    function = unit.names.enclosing_function(node)
    stores = [
        part
        for part in walk(function or unit.tree)
        if isinstance(part, ast.Name) and part.id == node.id and not isinstance(part.ctx, ast.Load)
    ]
    made = unit.names.parent(stores[0]) if len(stores) == 1 else None
    return isinstance(made, ast.Assign) and made.targets == stores and id(made.value) == key


def is_local(unit: Unit, name: ast.Name) -> bool:
    """Whether the name is bound in a function, ``self`` aside."""
    method = method_of(unit, name)
    if method is not None and name.id == receiver_of(method):
        return False
    return any(
        name.id in {arg.arg for arg in parameters(function)} | bound_names(own_nodes(function))
        for function in unit.names.functions_around(name)
    )


def is_test(unit: Unit, node: ast.AST) -> bool:
    """Whether the comparison is (part of) what an ``if`` asks: there, thresholds are Python numbers."""
    parent = unit.names.parent(node)
    while isinstance(parent, ast.BoolOp | ast.UnaryOp):
        node, parent = parent, unit.names.parent(parent)
    return isinstance(parent, ast.If | ast.IfExp) and parent.test is node


def is_place(node: ast.expr) -> bool:
    """A name, or something that is read from one by attributes, constant keys and positions."""
    while isinstance(node, ast.Attribute) or (
        isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant)
    ):
        node = node.value
    return isinstance(node, ast.Name)


def key_of(node: ast.expr, call: ast.Call) -> str:
    """The position or the keyword of an argument."""
    for position, argument in enumerate(call.args):
        if argument is node:
            return str(position)
    return next((keyword.arg or "**" for keyword in call.keywords if keyword.value is node), "")


def short(node: ast.AST) -> str:
    """The code in one line, for a message."""
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 60 else text[:57] + "..."
