"""Expressions that a tensor decides: ``a if t else b``, ``and``, ``or``, ``not``, ``max`` and ``min``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfmigrate.draws.text import is_loose
from tfmigrate.draws.values import Environment
from tfmigrate.flow.conditions import CannotLower, has_effect
from tfmigrate.flow.lowering import Lowering, guarded
from tfmigrate.syntax import own_nodes
from tfmigrate.walk import walk

_EXTREMES = {"builtins.max": "maximum", "builtins.min": "minimum"}


def decided_expressions(lowering: Lowering) -> Iterator[ast.expr]:
    """The expressions of the function (not of functions defined in it) that cannot stand in a graph; inner ones first."""
    found: list[ast.expr] = []
    todo: list[ast.AST] = list(own_nodes(lowering.function))
    todo += [part for node in list(todo) if isinstance(node, ast.Lambda) for part in walk(node.body)]
    for node in todo:
        if isinstance(node, ast.IfExp) and lowering.kinds.decides(node):
            found.append(node)
        elif isinstance(node, ast.BoolOp) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)):
            if _is_asked(lowering, node) and not _is_part_of_condition(lowering, node):
                found.append(node)
        elif isinstance(node, ast.Call) and (lowering.kinds.is_static_rank(node) or _extreme(lowering, node)):
            found.append(node)
    yield from sorted(found, key=lambda node: -_depth(lowering, node))


def _is_asked(lowering: Lowering, node: ast.expr) -> bool:
    """Whether Python asks a tensor whether it is true: the last part of ``and`` and ``or`` is just the result."""
    match node:
        case ast.BoolOp(values=values):
            return any(lowering.kinds.is_tensor(value) for value in values[:-1])
        case ast.UnaryOp(operand=operand):
            return lowering.kinds.is_tensor(operand)
    return False


def _depth(lowering: Lowering, node: ast.AST) -> int:
    return sum(1 for _ in lowering.unit.names.ancestors(node))


def _is_part_of_condition(lowering: Lowering, node: ast.expr) -> bool:
    """Whether a statement or expression that is itself written anew takes care of it."""
    child: ast.AST = node
    parent = lowering.unit.names.parent(node)
    while isinstance(parent, ast.BoolOp) or (
        isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not)
    ):
        child, parent = parent, lowering.unit.names.parent(parent)
    if child is not node:
        return True
    return isinstance(parent, ast.If | ast.While | ast.IfExp | ast.Assert) and parent.test is child


def _extreme(lowering: Lowering, node: ast.Call) -> str:
    name = _EXTREMES.get(lowering.unit.names.qualified(node.func) or "", "")
    is_plain = (
        len(node.args) > 1 and not node.keywords and not any(isinstance(a, ast.Starred) for a in node.args)
    )
    return name if is_plain and any(lowering.kinds.is_tensor(argument) for argument in node.args) else ""


def code_of(node: ast.expr) -> str:
    """The code under which an expression is told."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "rank":
        return "TFM408"
    return "TFM405" if isinstance(node, ast.IfExp) else "TFM406"


def rewrite(lowering: Lowering, node: ast.expr) -> None:
    """Write the expression anew.

    Raises:
        CannotLower: it cannot become part of a graph.
    """
    if isinstance(node, ast.IfExp):
        text = _chosen(lowering, node)
    elif isinstance(node, ast.Call) and code_of(node) == "TFM408":
        text = f"len({lowering.rewriting.text(node.args[0])}.shape)"
    elif isinstance(node, ast.Call):
        text = _extreme_text(lowering, node)
    else:
        operands = [part for part in walk(node) if isinstance(part, ast.expr)]
        if any(has_effect(part) for part in operands):
            raise CannotLower("condition", node)
        if not all(lowering.kinds.is_bool(leaf) for leaf in _leaves(node)):
            raise CannotLower("condition", node)
        text = lowering.conditions.truth(node)
    lowering.rewriting.replace(node, text)


def _leaves(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.BoolOp(values=values):
            for value in values:
                yield from _leaves(value)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case _:
            yield node


def _extreme_text(lowering: Lowering, node: ast.Call) -> str:
    """``tf.maximum(a, b)`` for ``max(a, b)``."""
    values = [lowering.kinds.of(argument) for argument in node.args]
    if not all(value.is_tensor or value.is_number for value in values):
        raise CannotLower("not-a-tensor", node)
    if any(value.dtype == "float" for value in values) and any(
        value.dtype in ("int32", "int64") for value in values
    ):
        raise CannotLower("types-differ", node)
    name = _extreme(lowering, node)
    texts = [lowering.rewriting.text(argument) for argument in node.args]
    if values[0].is_number:
        texts[:2], values[:2] = (
            texts[1::-1],
            values[1::-1],
        )  # A number takes the type of the tensor that it follows.
    whole = texts[0]
    for text in texts[1:]:
        whole = f"{lowering.tf}.{name}({whole}, {text})"
    return whole


def _chosen(lowering: Lowering, node: ast.IfExp) -> str:
    condition = lowering.conditions.parted(node.test)
    casts = _casts(lowering, node)
    texts = [_branch(lowering, way) for way in (node.body, node.orelse)]
    is_constant = all(isinstance(way, ast.Constant | ast.UnaryOp) for way in (node.body, node.orelse))
    if is_constant:
        call = f"{lowering.tf}.where({condition.tensor}, {texts[0]}, {texts[1]})"
        cast = next((cast for cast in casts if cast), "")
        call = f"{lowering.tf}.cast({call}, {cast})" if cast else call
        called = [f"{lowering.tf}.cast({text}, {cast})" if cast else text for text in texts]
    else:
        called = [f"{lowering.tf}.cast({t}, {c})" if c else t for t, c in zip(texts, casts, strict=True)]
        call = f"{lowering.tf}.cond({condition.tensor}, lambda: {called[0]}, lambda: {called[1]})"
    text = guarded(condition, call, *called)
    return f"({text})" if condition.guard else text


def _branch(lowering: Lowering, way: ast.expr) -> str:
    text = lowering.rewriting.text(way)
    return f"({text})" if isinstance(way, ast.Lambda | ast.IfExp) and is_loose(text) else text


def _casts(lowering: Lowering, node: ast.IfExp) -> list[str]:
    values = [lowering.kinds.of(node.body), lowering.kinds.of(node.orelse)]
    env = _known(lowering, node)
    if not all(value.is_number for value in values):
        return lowering.joiner.casts("", values, env, set())
    parent = lowering.unit.names.parent(node)
    if (
        isinstance(parent, ast.Assign)
        and len(parent.targets) == 1
        and isinstance(parent.targets[0], ast.Name)
    ):
        return lowering.joiner.casts(parent.targets[0].id, values, env, set())
    met = {dtype for dtype in lowering.joiner.met(node, "") if dtype}
    if len(met) > 1:
        raise CannotLower("types-differ", node)
    own = "float32" if any(value.dtype == "float" for value in values) else "int32"
    wanted = lowering.joiner.dtype_text(met, env) if met else f"{lowering.tf}.{own}"
    return [lowering.joiner.cast(value, wanted, "") for value in values]


def _known(lowering: Lowering, node: ast.expr) -> Environment:
    """What is known of names where the expression stands."""
    return lowering.kinds.reading.before.get(id(lowering.unit.names.statement_of(node)), {})
