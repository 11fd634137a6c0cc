"""Layers made in a function that runs several times in one call: one layer for each use, passed as an argument.

``block(block(x))`` makes two layers, and two layers it has to stay. Each place that calls the function gets a layer of
its own in ``__init__`` and hands it over; the constructor's arguments are those of that very call. Nested functions,
lambdas, helper methods and functions of the module are treated alike. A function of the module goes on to make its own
layers for everybody else, as in a functional model.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tfmigrate.blocked import Blocked
from tfmigrate.hoist.context import Binding, context_of
from tfmigrate.hoist.guards import kept_guards
from tfmigrate.hoist.move import Move, Passed, Place, shadowed
from tfmigrate.hoist.owner import MethodNode, Owner
from tfmigrate.hoist.portable import Needs, Portability
from tfmigrate.project.index import Kind
from tfmigrate.syntax import FunctionNode, bound_names, own_nodes, parameters, self_attribute
from tfmigrate.unit import Unit
from tfmigrate.walk import walk


@dataclass(frozen=True, slots=True)
class Use:
    """``call`` runs the function, in the method ``symbol`` of the class that will own the layers."""

    call: ast.Call
    symbol: str


@dataclass(frozen=True, slots=True)
class _Uses:
    """All uses of a function in the owner's methods."""

    name: str
    uses: tuple[Use, ...]
    is_optional: bool = False
    takes_self: bool = False


def _uses_of(unit: Unit, owner: Owner, symbol: str) -> _Uses | Blocked:
    function = unit.functions[symbol]
    parent = unit.names.enclosing_function(function)
    if parent is not None:
        return _nested_uses(unit, owner, function, parent)
    if function in owner.node.body:
        return _method_uses(unit, owner, symbol, function)
    return _module_uses(unit, owner, symbol, function)


def _nested_uses(unit: Unit, owner: Owner, function: FunctionNode, parent: FunctionNode) -> _Uses | Blocked:
    blocked = Blocked("in-nested-function")
    name = _local_name(unit, function)
    if not name or parent not in owner.node.body or isinstance(parent, ast.Lambda):
        return blocked
    named = [node for node in walk(parent) if isinstance(node, ast.Name) and node.id == name]
    stores = sum(not isinstance(node.ctx, ast.Load) for node in named)
    own = {id(node) for node in own_nodes(parent)}
    uses: list[Use] = []
    for node in named:
        if not isinstance(node.ctx, ast.Load):
            continue
        call = unit.names.parent(node)
        if not isinstance(call, ast.Call) or call.func is not node or id(call) not in own:
            return blocked
        uses.append(Use(call, unit.names.qualname(parent)))
    is_once = stores == (1 if isinstance(function, ast.Lambda) else 0)
    return _Uses(name, tuple(uses)) if uses and is_once else blocked


def _local_name(unit: Unit, function: FunctionNode) -> str:
    if not isinstance(function, ast.Lambda):
        return "" if function.decorator_list or isinstance(function, ast.AsyncFunctionDef) else function.name
    statement = unit.names.parent(function)
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and statement.value is function:
        target = statement.targets[0]
        return target.id if isinstance(target, ast.Name) else ""
    return ""


def _method_uses(unit: Unit, owner: Owner, symbol: str, function: FunctionNode) -> _Uses | Blocked:
    assert isinstance(function, MethodNode)
    name = function.name
    blocked = Blocked("helper-called-more-than-once", name)
    relatives = (*owner.ancestors, *owner.descendants)
    facts = [unit.index.class_facts(relative) for relative in relatives]
    if any(fact is not None and name in fact.methods for fact in facts) or function.decorator_list:
        return blocked
    callers = unit.index.callers(unit.qualified(symbol))
    uses = [
        Use(node, f"{owner.name}.{method.name}")
        for method in owner.methods.values()
        for node in own_nodes(method)
        if isinstance(node, ast.Call) and self_attribute(node.func, owner.receiver(method)) == name
    ]
    mentions = sum(
        self_attribute(node, owner.receiver(method)) == name
        for method in owner.methods.values()
        for node in walk(method)
    )
    is_whole = bool(uses) and len(uses) == len(callers) == mentions
    return _Uses(name, tuple(uses), takes_self=True) if is_whole else blocked


def _module_uses(unit: Unit, owner: Owner, symbol: str, function: FunctionNode) -> _Uses | Blocked:
    blocked = Blocked("outside-class")
    if not isinstance(function, ast.FunctionDef) or function not in unit.tree.body or function.decorator_list:
        return blocked
    qualified = unit.qualified(symbol)
    traced = {unit.qualified(name) for name in unit.traced}
    uses = [
        Use(node, f"{owner.name}.{method.name}")
        for method in owner.methods.values()
        for node in own_nodes(method)
        if isinstance(node, ast.Call) and unit.names.qualified(node.func) == qualified
    ]
    callers = [caller for caller in unit.index.callers(qualified) if caller.function in traced]
    is_whole = bool(uses) and len(callers) == len(uses)
    return _Uses(function.name, tuple(uses), is_optional=True) if is_whole else blocked


def owner_of_helper(unit: Unit, symbol: str) -> str:
    """The one class of this module whose traced methods call a module-level function; empty if there is no such."""
    traced = {unit.qualified(name): name for name in unit.traced}
    callers = {
        caller.function for caller in unit.index.callers(unit.qualified(symbol)) if caller.function in traced
    }
    owners = {traced[caller].rpartition(".")[0] for caller in callers}
    owner = owners.pop() if len(owners) == 1 else ""
    return owner if owner in unit.classes else ""


def passed_moves(unit: Unit, owner: Owner, symbol: str, made: ast.Call) -> tuple[Move, ...] | Blocked:
    """The layers that take the place of what ``made`` makes in the function ``symbol``, one for each use."""
    found = _uses_of(unit, owner, symbol)
    if isinstance(found, Blocked):
        return found
    function = unit.functions[symbol]
    inner = context_of(unit, made, function)
    if isinstance(inner, Blocked):
        return inner
    if inner.loops or not (inner.binding is None or isinstance(inner.binding, Binding)):
        return Blocked("helper-called-more-than-once", found.name)
    moves: list[Move] = []
    for use in sorted(found.uses, key=_when):
        passed = Passed(function, found.name, inner.binding, use.call, found.is_optional)
        given = _given(function, use.call, found.takes_self)
        move = _passed_move(unit, owner, made, passed, use, given)
        if isinstance(move, Blocked):
            return move
        moves.append(move)
    return tuple(moves)


def _when(use: Use) -> tuple[int, int]:
    """Order of running: of ``block(block(x))`` the inner one comes first."""
    return use.call.end_lineno or 0, use.call.end_col_offset or 0


def _passed_move(
    unit: Unit, owner: Owner, made: ast.Call, passed: Passed, use: Use, given: dict[str, ast.expr] | None
) -> Move | Blocked:
    method = unit.functions[use.symbol]
    assert isinstance(method, MethodNode)
    receiver = owner.receiver(method)
    blocked = owner.runs_once(use.symbol) if receiver else Blocked("outside-class")
    if blocked:
        return blocked
    if owner.kind in (Kind.LAYER, Kind.MODEL) and owner.compiled_on_the_way(use.symbol):
        return Blocked("tf-function-on-call")
    context = context_of(unit, use.call, method, is_layer=False)
    if isinstance(context, Blocked) or given is None:
        return (
            context if isinstance(context, Blocked) else Blocked("helper-called-more-than-once", passed.name)
        )
    outer = Portability(unit, method, receiver, owner.attribute_blocked)
    inner = _reading_inside(unit, owner, passed.function, receiver, given, outer)
    total = Needs()
    loop_names: set[str] = set()
    for loop in context.loops:
        needs = outer.needs(loop.iter, frozenset(loop_names))
        if isinstance(needs, Blocked):
            return Blocked("in-data-dependent-loop", ast.unparse(loop.iter))
        loop_names |= bound_names(walk(loop.target))
        total.add(needs)
    needs = inner.needs(made, frozenset(loop_names))
    if isinstance(needs, Blocked):
        return needs
    total.add(needs)
    if any(_speaks_of_the_same(guard.test, total) for guard in _guards(unit, made, passed.function)):
        return Blocked("guard-cannot-move")
    guards = kept_guards(context, total, outer, receiver, owner.may_be_none)
    if isinstance(guards, Blocked):
        return guards
    if blocked := shadowed(owner.names_in_init, total, guards):
        return blocked
    qualified = unit.names.qualified(made.func) or ""
    at_use = replace(context, binding=None)
    return Move(made, qualified, use.symbol, method, at_use, total, guards, Place.INIT, passed=passed)


def _reading_inside(
    unit: Unit,
    owner: Owner,
    function: FunctionNode,
    receiver: str,
    given: dict[str, ast.expr],
    outer: Portability,
) -> Portability:
    is_nested = unit.names.enclosing_function(function) is not None
    if not is_nested:
        is_method = isinstance(function, MethodNode) and function in owner.node.body
        receiver = owner.receiver(function) if is_method else ""  # type: ignore[arg-type]
    return Portability(
        unit,
        function,
        receiver,
        owner.attribute_blocked,
        given,
        given_by=outer,
        outer=outer if is_nested else None,
    )


def _guards(unit: Unit, made: ast.Call, function: FunctionNode) -> Sequence[ast.If]:
    """The conditions around the construction inside of the function."""
    return [node for node in unit.names.ancestors(made, function) if isinstance(node, ast.If)]


def _speaks_of_the_same(test: ast.expr, needs: Needs) -> bool:
    names = {name.id for name in needs.inlined}
    for node in walk(test):
        if isinstance(node, ast.Name) and node.id in names:
            return True
        if isinstance(node, ast.Attribute) and node.attr in needs.attributes:
            return True
    return False


def _given(function: FunctionNode, call: ast.Call, takes_self: bool) -> dict[str, ast.expr] | None:
    """What each parameter of the function stands for in this use; None if that cannot be told."""
    arguments = function.args
    starred = any(isinstance(argument, ast.Starred) for argument in call.args)
    if starred or any(keyword.arg is None for keyword in call.keywords):
        return None
    positional = [parameter.arg for parameter in (*arguments.posonlyargs, *arguments.args)][takes_self:]
    given: dict[str, ast.expr] = {}
    given.update((name, value) for name, value in _defaults(arguments) if isinstance(value, ast.Constant))
    given.update(zip(positional, call.args, strict=False))
    given.update({keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None})
    known = {parameter.arg for parameter in parameters(function)}
    return given if given.keys() <= known and len(call.args) <= len(positional) else None


def _defaults(arguments: ast.arguments) -> Iterator[tuple[str, ast.expr]]:
    positional = [*arguments.posonlyargs, *arguments.args]
    yield from (
        (p.arg, value) for p, value in zip(reversed(positional), reversed(arguments.defaults), strict=False)
    )
    keyword_only = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    yield from ((p.arg, value) for p, value in keyword_only if value is not None)
