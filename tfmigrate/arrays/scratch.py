"""Lists kept on ``self``: scratch of one call, which may be a local name, or a record that no graph can keep."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfmigrate.arrays.function import Function
from tfmigrate.arrays.lists import Growth, Lists
from tfmigrate.arrays.loops import LoopNode
from tfmigrate.arrays.outcome import Place
from tfmigrate.blocked import Blocked
from tfmigrate.draws.classes import method_of, receiver_of
from tfmigrate.imports import is_imported
from tfmigrate.syntax import dotted, own_nodes
from tfmigrate.walk import walk


def kept(function: Function, key: str) -> Blocked | None:
    """Why ``self.xs``, made and grown in this method, cannot be a local name."""
    unit, attribute = function.unit, key.rpartition(".")[2]
    owner = unit.names.enclosing_class(function.node)
    blocked = Blocked("kept-on-self", key)
    if owner is None or unit.names.parent(function.node) is not owner or key.count(".") != 1:
        return blocked
    if attribute.strip("_") in function.bindings.locals or not attribute.strip("_"):
        return blocked
    if unit.index.subclasses(unit.qualified(unit.names.qualname(owner))):
        return blocked
    inside = {id(node) for node in walk(function.node)}
    for node in walk(unit.tree):
        if isinstance(node, ast.Attribute) and node.attr == attribute and id(node) not in inside:
            method = method_of(unit, node)
            is_first = method is not None and method.name == "__init__" and isinstance(node.ctx, ast.Store)
            if not is_first or unit.names.enclosing_class(node) is not owner:
                return blocked
    return blocked if not attribute.startswith("_") and is_imported(unit) else None


def records(function: Function) -> Iterator[Place]:
    """Tensors added to lists that outlive the call."""
    method = method_of(function.unit, function.node) or function.node
    receiver = receiver_of(method) if isinstance(method, ast.FunctionDef) else ""
    lists = Lists(function.unit, function.bindings)
    for key, growths in lists.growths().items():
        if not receiver or key.partition(".")[0] != receiver or "." not in key or lists.creations(key):
            continue
        for growth in growths:
            if is_append(growth) and any(function.reading.of(value).is_tensor for value in growth.values):
                message = f"a tensor of the graph is added to the list `{key}` in `{function.symbol}`"
                yield Place(growth.statement, "TFM305", message, Blocked("kept-on-self", key))


def strangers(function: Function) -> Iterator[Place]:
    """Additions in loops of the graph to lists that come from elsewhere."""
    lists = Lists(function.unit, function.bindings)
    known = lists.growths()
    for node in own_nodes(function.node):
        match node:
            case ast.Expr(ast.Call(func=ast.Attribute(value=base, attr="append" | "extend" | "insert"))):
                key = dotted(base)
            case _:
                continue
        assert isinstance(node, ast.Expr)
        if "." in key or (lists.creations(key) and key in known) or not is_in_graph_loop(function, node):
            continue
        is_own = isinstance(base, ast.Name) and bool(lists.creations(key))
        code, reason = ("TFM301", "used-as-list") if is_own else ("TFM304", "unknown-list")
        message = f"the list `{ast.unparse(base)}` grows in a loop of the graph in `{function.symbol}`"
        yield Place(node, code, message, Blocked(reason, ast.unparse(base)))


def is_in_graph_loop(function: Function, node: ast.stmt) -> bool:
    around = function.unit.names.ancestors(node, function.node)
    loops = [one for one in around if isinstance(one, LoopNode)]
    return any(loop is not None and loop.is_certain for loop in map(function.loops.of, loops))


def is_append(growth: Growth) -> bool:
    """Whether it is a method of lists: ``+=`` adds to tensors as well."""
    return isinstance(growth.statement, ast.Expr)
