"""Numbers that are equal to Python and of several types: ``f(1)``, ``f(1.0)`` and ``f(True)`` share a trace.

The first of them to come decides the dtype of what is computed for all; ``tf.constant`` keeps them apart.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfmigrate.blocked import Blocked
from tfmigrate.codemod import AnyChange, Change
from tfmigrate.imports import tensorflow_name
from tfmigrate.lazy import libcst as cst
from tfmigrate.signatures.callsites import Sites
from tfmigrate.signatures.found import Changes, Found
from tfmigrate.signatures.functions import GraphFunction
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

_INDIFFERENT = (ast.BinOp, ast.Compare, ast.UnaryOp, ast.BoolOp, ast.If, ast.IfExp, ast.While, ast.Subscript)


def equal_findings(unit: Unit, sites: Sites, function: GraphFunction) -> Iterator[Found]:
    """One for each parameter whose dtype such numbers decide."""
    for arg in function.parameters:
        nodes = _equal(sites, function, arg.arg)
        uses = [one for one in walk(function.node) if isinstance(one, ast.Name) and one.id == arg.arg]
        deciding = [one for one in uses if _decides(unit, one)]
        if not nodes or not deciding:
            continue
        values = " and ".join(f"`{text}`" for text in dict.fromkeys(ast.unparse(node) for node in nodes))
        message = (
            f"`{function.symbol}` has one trace for {values} as `{arg.arg}`, of whichever dtype came first"
        )
        name = tensorflow_name(unit, function.symbol)
        outcome: Blocked | Changes
        if not all(_takes_tensor(unit, one) for one in uses):
            outcome = Blocked("equal-numbers", arg.arg)
        elif name is None or name.after is not None:
            outcome = Blocked("no-tensorflow-name")
        else:
            outcome = _constants(nodes, name.name)
            message += ": handed over as tensors"
        proof = _caller(unit, nodes[-1]) or function.owner
        yield Found("TFM508", nodes[-1], function.symbol, proof, message, outcome)


def _caller(unit: Unit, node: ast.expr) -> str:
    scope = unit.names.enclosing_function(node)
    if scope is None:
        return ""
    owner = unit.names.enclosing_class(scope)
    return unit.names.qualname(owner if owner is not None else scope)


def _equal(sites: Sites, function: GraphFunction, name: str) -> list[ast.expr]:
    """The arguments in calls outside of graphs that are equal to another one's of another type."""
    names = [arg.arg for arg in function.parameters]
    found: dict[object, list[tuple[type, ast.expr]]] = {}
    for call, _ in sites.of(function).sure:
        scope = sites.unit.names.enclosing_function(call)
        if scope is not None and sites.unit.names.qualname(scope) in sites.unit.traced:
            continue
        given = dict(zip(names, call.args, strict=False))
        given.update((one.arg, one.value) for one in call.keywords if one.arg in names)
        node = given.get(name)
        try:
            value = ast.literal_eval(node) if node is not None else None
        except ValueError:
            continue
        if node is not None and type(value) in (int, float, bool):
            found.setdefault(value, []).append((type(value), node))
    return [node for same in found.values() if len({kind for kind, _ in same}) > 1 for _, node in same]


def _decides(unit: Unit, use: ast.Name) -> bool:
    """Whether the number's type is the dtype of something: beside a tensor, a Python number has that one's."""
    parent = unit.names.parent(use)
    if isinstance(parent, _INDIFFERENT):
        return False
    return not (isinstance(parent, ast.Call) and unit.names.qualified(parent.func) == "tensorflow.cast")


def _takes_tensor(unit: Unit, use: ast.Name) -> bool:
    """``tf.convert_to_tensor(n)``, ``tf.fill(dims, n)``: a tensor of the number does the same."""
    call = unit.names.parent(use)
    name = unit.names.qualified(call.func) if isinstance(call, ast.Call) else None
    if not isinstance(call, ast.Call) or call.keywords or not isinstance(use.ctx, ast.Load):
        return False
    if name == "tensorflow.convert_to_tensor":
        return call.args == [use]
    return (name == "tensorflow.fill" and call.args[1:] == [use]) or name == "tensorflow.cast"


def _constants(nodes: list[ast.expr], tensorflow: str) -> Changes:
    def changes(unit: Unit) -> Iterator[AnyChange]:
        for node in nodes:
            old = unit.cst_expression(node)
            function = cst.parse_expression(f"{tensorflow}.constant", unit.parser_config)
            yield Change(old, cst.Call(function, [cst.Arg(old.deep_clone())]))

    return changes
