"""A quick look at a function: whether there can be anything in it. Nearly all traced functions have nothing."""

from __future__ import annotations

import ast

from tfmigrate.arrays.lists import growth_of
from tfmigrate.syntax import FunctionNode, own_nodes
from tfmigrate.unit import Unit

_METHODS = frozenset(("append", "extend", "insert", "write", "scatter", "unstack", "split"))
_PYTHONS = frozenset(("items", "keys", "values"))
_PYTHON_CALLS = frozenset(("len", "list", "sorted", "dict", "set", "tuple", "reversed"))


def has_signs(unit: Unit, function: FunctionNode) -> bool:
    """Whether a list may grow, an item be set or an array be written in a loop or a branch, or a comprehension stands."""
    for node in own_nodes(function):
        if isinstance(node, ast.comprehension):
            if _may_be_tensor(node.iter):
                return True
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            called = node.value.func
            if isinstance(called, ast.Attribute) and called.attr in _METHODS:
                return True
            if isinstance(called, ast.Name) and node.value.args and _is_inside(unit, node, function):
                return True  # Perhaps a function that adds to its argument.
        elif isinstance(node, ast.Assign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            is_item = any(isinstance(target, ast.Subscript) for target in targets)
            if (is_item or growth_of(node) is not None) and _is_inside(unit, node, function):
                return True
    return False


def _may_be_tensor(node: ast.expr) -> bool:
    """Whether a comprehension may go through a tensor: not a list that is written out, nor a collection of an object."""
    if isinstance(node, ast.Call):
        called = node.func
        if isinstance(called, ast.Attribute):
            return called.attr not in _PYTHONS
        name = called.id if isinstance(called, ast.Name) else ""
        if name in ("range", "enumerate", "zip"):
            return name != "range" and any(map(_may_be_tensor, node.args))
        return name not in _PYTHON_CALLS
    return isinstance(node, ast.Name | ast.BinOp | ast.Subscript | ast.UnaryOp)


def _is_inside(unit: Unit, node: ast.AST, function: FunctionNode) -> bool:
    """Whether it stands in a loop or a branch."""
    return any(isinstance(one, ast.For | ast.While | ast.If) for one in unit.names.ancestors(node, function))
