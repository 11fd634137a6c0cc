"""``ta.write(i, v)`` whose result is dropped: right eagerly, and an array that stays empty in a graph."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfmigrate.arrays.bindings import Bindings, From
from tfmigrate.arrays.function import Function
from tfmigrate.arrays.outcome import Draft, Place
from tfmigrate.blocked import Blocked
from tfmigrate.draws.classes import assignments
from tfmigrate.syntax import dotted, own_nodes
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

_METHODS = frozenset(("write", "scatter", "unstack", "split"))
_ARRAY = "tensorflow.TensorArray"


def dropped_writes(function: Function) -> Iterator[tuple[ast.Expr, str]]:
    """The statements, and how each names its array."""
    for node in own_nodes(function.node):
        match node:
            case ast.Expr(ast.Call(func=ast.Attribute(value=base, attr=method))) if method in _METHODS:
                key = dotted(base)
                if key and is_array(function, base, key):
                    yield node, key


def is_array(function: Function, base: ast.expr, key: str) -> bool:
    unit = function.unit
    if isinstance(base, ast.Name):
        parameter = function.bindings.parameters.get(key)
        if parameter is not None and parameter.annotation is not None:
            return unit.names.qualified(parameter.annotation) == _ARRAY
        return _is_array_name(unit, function.bindings, key) or _is_outer(function, key)
    made = [
        node.value
        for node in walk(function.node)
        if isinstance(node, ast.Assign) and any(dotted(target) == key for target in node.targets)
    ]
    if not made and isinstance(base, ast.Attribute):
        made = [statement.value for _, statement in assignments(unit, base, base.attr)]
    return bool(made) and all(_makes_array(unit, value, key) for value in made)


def _is_array_name(unit: Unit, bindings: Bindings, key: str) -> bool:
    found = bindings.of(key)
    return bool(found) and all(
        one.how is From.WHOLE and one.value is not None and _makes_array(unit, one.value, key)
        for one in found
    )


def _makes_array(unit: Unit, value: ast.expr, key: str) -> bool:
    if not isinstance(value, ast.Call):
        return False
    if unit.names.qualified(value.func) == _ARRAY:
        return True
    is_method = isinstance(value.func, ast.Attribute) and value.func.attr in _METHODS
    return is_method and isinstance(value.func, ast.Attribute) and _holds(unit, value.func.value, key)


def _holds(unit: Unit, node: ast.expr, key: str) -> bool:
    return dotted(node) == key or _makes_array(unit, node, key)


def _is_outer(function: Function, key: str) -> bool:
    """Whether the name is an array of the function around."""
    outer = function.unit.names.enclosing_function(function.node)
    is_own = key in function.bindings.locals
    return (
        not is_own
        and outer is not None
        and _is_array_name(function.unit, Bindings(function.unit, outer), key)
    )


def write_back(function: Function, draft: Draft) -> Iterator[Place]:
    """Give each result back to the name of its array."""
    for statement, key in dropped_writes(function):
        message = f"the result of `{ast.unparse(statement.value.func)}` is dropped in `{function.symbol}`"  # type: ignore[attr-defined]
        is_closed_over = "." not in key and key not in function.bindings.locals
        if is_closed_over:
            yield Place(statement, "TFM306", message, Blocked("in-nested-function", key))
            continue
        draft.put(statement, f"{key} = {draft.rewriting.text(statement.value)}")
        yield Place(statement, "TFM306", f"{message}: in a graph nothing is written then")
