"""What may not happen inside of a graph's branch or loop: Python would do it once, while the graph is traced."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tfmigrate import tables
from tfmigrate.flow.conditions import CannotLower, Condition

if TYPE_CHECKING:
    from tfmigrate.flow.lowering import Lowering

_GROWS = tables.words("append extend insert")
_IN_GRAPH = tables.words("""
    assign assign_add assign_sub scatter_add scatter_sub scatter_update scatter_nd_add scatter_nd_sub scatter_nd_update
    update_state reset_state apply_gradients apply minimize
    """)
"""Methods that act on variables, so that a graph does them each time. https://www.tensorflow.org/api_docs/python/tf/Variable"""
_IN_GRAPH_HOMES = ("tensorflow.debugging.", "tensorflow.summary.", "tensorflow.print", "tensorflow.Assert")
_UNSUPPORTED = (
    ast.Global
    | ast.Nonlocal
    | ast.Yield
    | ast.YieldFrom
    | ast.Await
    | ast.Import
    | ast.ImportFrom
    | ast.Delete
    | ast.Try
    | ast.AsyncFor
    | ast.AsyncWith
    | ast.AsyncFunctionDef
    | ast.ClassDef
    | ast.Match
)


def refuse_effects(lowering: Lowering, statements: Sequence[ast.stmt]) -> None:
    """Raises:
    CannotLower: something among the statements is seen from outside, and is not a variable.
    """
    todo: list[ast.AST] = list(statements)
    while todo:
        node = todo.pop()
        if isinstance(node, _UNSUPPORTED):
            raise CannotLower("unsupported-statement", node)
        if isinstance(node, ast.Raise) and not _is_check(lowering, node):
            raise CannotLower("raises-with-effects", node)
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            raise CannotLower("changes-attribute", node)
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            raise CannotLower("python-side-effect", node)
        if isinstance(node, ast.Expr) and id(node) not in lowering.written:
            refuse_effect(lowering, node.value)
        if not isinstance(node, ast.FunctionDef | ast.Lambda):
            todo.extend(ast.iter_child_nodes(node))


def _is_check(lowering: Lowering, node: ast.Raise) -> bool:
    """``if tensor: raise ...`` becomes an assertion of TensorFlow's."""
    parent = lowering.unit.names.parent(node)
    return (
        isinstance(parent, ast.If)
        and parent.body == [node]
        and not parent.orelse
        and lowering.kinds.decides(parent)
    )


def refuse_effect(lowering: Lowering, node: ast.expr) -> None:
    """Raises:
    CannotLower: the expression, which is a statement, does something that only Python sees.
    """
    if isinstance(node, ast.Constant):
        return
    if isinstance(node, ast.Call):
        name = lowering.unit.names.qualified(node.func) or ""
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if method in _IN_GRAPH and lowering.in_call:
            raise CannotLower("assigns-in-branch", node)
        if name.startswith(_IN_GRAPH_HOMES) or method in _IN_GRAPH:
            return
        if method in _GROWS:
            raise CannotLower("list-grows", node)
    raise CannotLower("python-side-effect", node)


def counted(lowering: Lowering, node: ast.If, condition: Condition) -> list[str] | None:
    """``if t: v.assign_add(1)`` counts by the condition itself, without a branch."""
    only = node.body[0]
    if (
        node.orelse
        or len(node.body) != 1
        or not isinstance(only, ast.Expr)
        or not isinstance(only.value, ast.Call)
    ):
        return None
    call = only.value
    is_count = isinstance(call.func, ast.Attribute) and call.func.attr in ("assign_add", "assign_sub")
    if (
        not is_count
        or len(call.args) != 1
        or call.keywords
        or condition.is_or
        or any(lowering.source.comments(only))
    ):
        return None
    (amount,) = call.args
    if not isinstance(amount, ast.Constant) or not isinstance(amount.value, int | float):
        return None
    assert isinstance(call.func, ast.Attribute)
    variable = lowering.rewriting.text(call.func.value)
    number = f"{lowering.tf}.cast({condition.tensor}, {variable}.dtype)"
    number = number if amount.value == 1 else f"{lowering.rewriting.text(amount)} * {number}"
    line = f"{variable}.{call.func.attr}({number})"
    if condition.guard:
        return [f"if {condition.guard}:", lowering.source.indent + line]
    return [line]
