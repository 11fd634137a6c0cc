"""One construction that moves, with everything that its rewrite needs, or the reason why it stays."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from tfmigrate.hoist.blocked import Blocked
from tfmigrate.hoist.context import Context, context_of
from tfmigrate.hoist.guards import KeptGuard, kept_guards
from tfmigrate.hoist.owner import Owner
from tfmigrate.hoist.portable import Needs, Portability
from tfmigrate.project.index import Kind
from tfmigrate.syntax import FunctionNode, bound_names, own_nodes, parameters
from tfmigrate.unit import Unit


@dataclass(frozen=True, slots=True)
class Move:
    """``call`` in the method ``symbol`` moves to ``__init__``. ``qualified`` is the canonical name of what it calls."""

    call: ast.Call
    qualified: str
    symbol: str
    function: FunctionNode
    context: Context
    needs: Needs
    """Of the constructor and of the loops around it."""
    guards: tuple[KeptGuard, ...]


def planned_move(unit: Unit, owner: Owner, symbol: str, call: ast.Call) -> Move | Blocked:
    """How ``call`` moves into the ``__init__`` of ``owner``, or why it cannot."""
    function = unit.functions[symbol]
    if isinstance(function, ast.Lambda) or "<locals>" in symbol.removeprefix(owner.name):
        return Blocked("in-nested-function")
    receiver = owner.receiver(function)
    if not receiver:
        return Blocked("outside-class")
    if owner.init is not None and owner.receiver(owner.init) != receiver:
        return Blocked("init-not-visible")
    own_names = bound_names(own_nodes(function)) | {parameter.arg for parameter in parameters(function)}
    if _root(call.func) in own_names:
        return Blocked("local-class", ast.unparse(call.func))
    context = context_of(unit, call, function)
    if isinstance(context, Blocked):
        return context
    blocked = owner.runs_once(symbol)
    if blocked:
        return blocked
    if owner.kind in (Kind.LAYER, Kind.MODEL) and owner.compiled_on_the_way(symbol):
        return Blocked("tf-function-on-call")
    given = owner.call_site_arguments(symbol)
    reading = Portability(unit, function, receiver, owner.attribute_blocked, given)
    needs = _all_needs(call, context, reading)
    if isinstance(needs, Blocked):
        return needs
    guards = kept_guards(context, needs, reading, receiver)
    if isinstance(guards, Blocked):
        return guards
    blocked = _shadowed(owner, needs, guards)
    qualified = unit.names.qualified(call.func) or ""
    return blocked or Move(call, qualified, symbol, function, context, needs, guards)


def _root(func: ast.expr) -> str:
    while isinstance(func, ast.Attribute):
        func = func.value
    return func.id if isinstance(func, ast.Name) else ""


def _all_needs(call: ast.Call, context: Context, reading: Portability) -> Needs | Blocked:
    loop_names: set[str] = set()
    total = Needs()
    for loop in context.loops:
        needs = reading.needs(loop.iter, frozenset(loop_names))
        if isinstance(needs, Blocked):
            unknown_length = needs.reason.startswith("depends-on") or needs.reason == "argument-calls-code"
            return Blocked("in-data-dependent-loop", ast.unparse(loop.iter)) if unknown_length else needs
        loop_names |= bound_names(ast.walk(loop.target))
        _add(total, needs)
    needs = reading.needs(call, frozenset(loop_names))
    if isinstance(needs, Blocked):
        return needs
    _add(total, needs)
    return total


def _add(total: Needs, more: Needs) -> None:
    total.attributes |= more.attributes
    total.globals |= more.globals
    total.inlined |= more.inlined
    total.loop_names |= more.loop_names


def _shadowed(owner: Owner, needs: Needs, guards: tuple[KeptGuard, ...]) -> Blocked | None:
    if owner.init is None:
        return None
    hidden = bound_names(own_nodes(owner.init)) | {parameter.arg for parameter in parameters(owner.init)}
    used = needs.globals.union(*(guard.needs.globals for guard in guards))
    clash = sorted(hidden & used)
    return Blocked("name-shadowed-in-init", clash[0]) if clash else None
