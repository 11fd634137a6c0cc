"""Where a construction stands: the loops and conditions around it, and what is done with the new object."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tfmigrate.blocked import Blocked
from tfmigrate.syntax import FunctionNode, own_nodes, self_attribute
from tfmigrate.unit import Unit
from tfmigrate.walk import blocks, walk

_EXITS = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_READABLE = frozenset(
    [
        "weights",
        "variables",
        "trainable_weights",
        "trainable_variables",
        "non_trainable_weights",
        "losses",
        "name",
        "units",
        "kernel",
        "bias",
        "get_weights",
        "output_dim",
        "input_dim",
    ]
)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)
Comprehension = ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp


@dataclass(frozen=True, slots=True)
class Loop:
    """``for target in iter``, as a statement or as the one generator of a comprehension."""

    node: ast.For | Comprehension
    target: ast.expr
    iter: ast.expr


@dataclass(frozen=True, slots=True)
class Guard:
    """The construction runs only if ``bool(test) is holds``."""

    test: ast.expr
    holds: bool
    in_loop: bool
    """Whether the test is evaluated in each step of a loop around the construction."""
    is_exact: bool = True
    """False: the construction depends on the test, but not on it alone."""
    raises: bool = False
    """Where it does not hold, an exception is raised: in a call that comes to its end, it held."""


@dataclass(frozen=True, slots=True)
class _Condition:
    test: ast.expr
    holds: bool
    is_exact: bool = True
    raises: bool = False


@dataclass(frozen=True, slots=True)
class Binding:
    """The new object is bound to a local ``name``."""

    name: str
    statement: ast.stmt | None
    """The assignment that does nothing else, if the name is bound just once."""


@dataclass(frozen=True, slots=True)
class Kept:
    """The new object is kept on the instance: ``self.attribute = Dense(3)``."""

    attribute: str
    statement: ast.Assign
    also: str = ""
    """A local name for it: ``self.attribute = also = Dense(3)``."""


@dataclass(frozen=True, slots=True)
class Context:
    """Loops from the outermost, guards from the innermost, and what holds the object, if it is not applied at once."""

    loops: tuple[Loop, ...]
    guards: tuple[Guard, ...]
    binding: Binding | Kept | None


def context_of(
    unit: Unit, call: ast.Call, function: FunctionNode, is_layer: bool = True
) -> Context | Blocked:
    """Everything around ``call`` up to ``function``, or why it cannot be moved from there.

    A layer is only ever applied; a variable (not ``is_layer``) may be used in any expression.
    """
    loops: list[Loop] = []
    guards: list[tuple[_Condition, int]] = []
    child: ast.AST = call
    for parent in unit.names.ancestors(call, function):
        step = _step(parent, child)
        if isinstance(step, Blocked):
            return step
        if isinstance(child, ast.stmt):
            guards.extend((condition, len(loops)) for condition in _exits_before(parent, child))
        if isinstance(step, Loop):
            loops.append(step)
        else:
            guards.extend((_Condition(test, holds), len(loops)) for test, holds in step)
        child = parent
    if isinstance(child, ast.stmt):
        guards.extend((condition, len(loops)) for condition in _exits_before(function, child))
    binding = _binding(unit, call, function, is_layer)
    if isinstance(binding, Blocked):
        return binding
    placed = tuple(
        Guard(one.test, one.holds, depth < len(loops), one.is_exact, one.raises) for one, depth in guards
    )
    return Context(tuple(reversed(loops)), placed, binding)


def _step(parent: ast.AST, child: ast.AST) -> list[tuple[ast.expr, bool]] | Loop | Blocked:
    if isinstance(parent, ast.For):
        return Loop(parent, parent.target, parent.iter) if child in parent.body else []
    if isinstance(parent, ast.AsyncFor | ast.While):
        return Blocked("in-data-dependent-loop")
    if isinstance(parent, _COMPREHENSIONS):
        return _comprehension_step(parent, child)
    if isinstance(parent, ast.If):
        return [] if child is parent.test else [(parent.test, child in parent.body)]
    if isinstance(parent, ast.IfExp):
        return [] if child is parent.test else [(parent.test, child is parent.body)]
    if isinstance(parent, ast.BoolOp):
        assert isinstance(child, ast.expr)
        earlier = parent.values[: parent.values.index(child)]
        return [(value, isinstance(parent.op, ast.And)) for value in reversed(earlier)]
    if isinstance(parent, ast.Try | ast.Match):
        return Blocked("in-unsupported-block")
    return []


def _comprehension_step(
    parent: Comprehension, child: ast.AST
) -> list[tuple[ast.expr, bool]] | Loop | Blocked:
    first = parent.generators[0]
    if isinstance(child, ast.comprehension) or len(parent.generators) > 1 or first.is_async:
        return Blocked("in-unsupported-block")
    return Loop(parent, first.target, first.iter)


def _exits_before(block_owner: ast.AST, statement: ast.stmt) -> list[_Condition]:
    """Guards by an early way out: ``if test: return x`` before ``statement`` in the same block; the nearest first."""
    for block in blocks(block_owner):
        if statement in block:
            return list(_exits(block[: block.index(statement)], is_exact=True))[::-1]
    return []


def _exits(statements: list[ast.stmt], is_exact: bool) -> Iterator[_Condition]:
    """What is known of the conditions in ``statements`` once they were left at their end."""
    for statement in statements:
        match statement:
            case ast.If(test=test, body=body, orelse=otherwise) if isinstance(body[-1], _EXITS):
                yield _Condition(test, False, is_exact, isinstance(body[-1], ast.Raise))
                yield from _exits(otherwise, is_exact)
            case ast.If(test=test, body=body, orelse=[*_, last]) if isinstance(last, _EXITS):
                yield _Condition(test, True, is_exact, isinstance(last, ast.Raise))
                yield from _exits(body, is_exact)
            case ast.If(test=test, body=body, orelse=otherwise):
                inside = [*_exits(body, is_exact=False), *_exits(otherwise, is_exact=False)]
                yield from [_Condition(test, True, False), *inside] if inside else []
            case ast.With(body=body):
                yield from _exits(body, is_exact)
            case ast.For() | ast.While() | ast.Try():
                for block in blocks(statement):
                    yield from _exits(block, is_exact=False)


def is_removable(unit: Unit, statement: ast.stmt) -> bool:
    """Whether ``statement`` can go with its line and leave others in its block."""
    return len(unit.names.block_of(statement)) > 1 and unit.has_own_line(statement)


def _binding(
    unit: Unit, call: ast.Call, function: FunctionNode, is_layer: bool
) -> Binding | Kept | Blocked | None:
    """What becomes of the new object: None if it is applied at once."""
    node: ast.expr = call
    names: list[str] = []
    parent = unit.names.parent(node)
    while isinstance(parent, ast.IfExp | ast.NamedExpr) and node is not getattr(parent, "test", None):
        if isinstance(parent, ast.NamedExpr):
            names.append(parent.target.id)
        node, parent = parent, unit.names.parent(parent)
    statement: ast.stmt | None = None
    if (isinstance(parent, ast.Call) and parent.func is node) or (names and _is_none_test(parent)):
        pass
    elif isinstance(parent, ast.Assign | ast.AnnAssign):
        targets = parent.targets if isinstance(parent, ast.Assign) else [parent.target]
        receiver = function.args.args[0].arg if function.args.args else ""
        if isinstance(parent, ast.Assign) and node is call and (kept := self_attribute(targets[0], receiver)):
            return _kept(unit, function, kept, parent, targets[1:], is_layer)
        if not all(isinstance(target, ast.Name) for target in targets):
            return Blocked("layer-escapes")
        names.extend(target.id for target in targets if isinstance(target, ast.Name))
        statement = parent if isinstance(parent, ast.Assign) and node is call and len(names) == 1 else None
    elif isinstance(parent, ast.Tuple) and (paired := _paired_target(unit, parent, node)):
        names.append(paired)
    elif not is_layer and not isinstance(parent, ast.Expr):
        pass
    elif isinstance(parent, ast.Return | ast.Yield | ast.YieldFrom):
        return Blocked("returned-layer")
    elif isinstance(parent, ast.Expr):
        return Blocked("never-applied")
    else:
        return Blocked("layer-escapes")
    if not names:
        return None
    return _bound(unit, function, names, statement, is_layer)


def _kept(
    unit: Unit,
    function: FunctionNode,
    attribute: str,
    statement: ast.Assign,
    others: Sequence[ast.expr],
    is_layer: bool,
) -> Kept | Blocked:
    """``self.attribute = Dense(3)``, perhaps with one local name for it on the way."""
    if not others:
        return Kept(attribute, statement)
    match list(others):
        case [ast.Name(id=name)] if is_layer and unit.has_own_line(statement):
            bound = _bound(unit, function, [name], statement, is_layer)
            if isinstance(bound, Binding) and bound.statement is not None:
                return Kept(attribute, statement, name)
    return Blocked("layer-escapes")


def _paired_target(unit: Unit, values: ast.Tuple, value: ast.expr) -> str:
    """The name that takes ``value`` in ``a, b = Dense(1), Dense(2)``."""
    statement = unit.names.parent(values)
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return ""
    target = statement.targets[0]
    if not isinstance(target, ast.Tuple) or len(target.elts) != len(values.elts):
        return ""
    name = target.elts[values.elts.index(value)]
    return name.id if isinstance(name, ast.Name) else ""


def _bound(
    unit: Unit, function: FunctionNode, names: list[str], statement: ast.stmt | None, is_layer: bool
) -> Binding | Blocked:
    stores = 0
    for node in walk(function):
        if isinstance(node, ast.Global | ast.Nonlocal) and set(names) & set(node.names):
            return Blocked("layer-escapes", names[0])
        if not isinstance(node, ast.Name) or node.id not in names:
            continue
        if not isinstance(node.ctx, ast.Load):
            stores += 1
        elif is_layer and not _is_plain_use(unit, node):
            return Blocked("layer-escapes", node.id)
    own = sum(isinstance(node, ast.Name) and node.id in names for node in own_nodes(function))
    total = sum(isinstance(node, ast.Name) and node.id in names for node in walk(function))
    return Binding(names[0], statement if stores == 1 and own == total else None)


def _is_plain_use(unit: Unit, name: ast.Name) -> bool:
    parent = unit.names.parent(name)
    if isinstance(parent, ast.Call):
        return parent.func is name
    if isinstance(parent, ast.Attribute):
        return isinstance(parent.ctx, ast.Load) and parent.attr in _READABLE
    return _is_none_test(parent)


def _is_none_test(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Compare) and all(isinstance(op, ast.Is | ast.IsNot) for op in node.ops)
