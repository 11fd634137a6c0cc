"""Construction at the first call: ``if self.dense is None: self.dense = Dense(3)`` and its many spellings.

Once the object is made in ``__init__`` or ``build`` the guard always says no, and goes, with the placeholder that it
tested; unless something else asks the same question.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from tfmigrate.blocked import Blocked
from tfmigrate.hoist.owner import MethodNode, Owner
from tfmigrate.hoist.state import makes_state
from tfmigrate.syntax import self_attribute
from tfmigrate.unit import Unit
from tfmigrate.walk import walk


@dataclass(frozen=True, slots=True)
class FirstCall:
    """What goes when the construction moves: the statement, or the whole guard around it, and placeholders."""

    goes: ast.stmt
    placeholders: tuple[ast.stmt, ...]


def first_call(
    unit: Unit, owner: Owner, method: MethodNode, statement: ast.stmt, attribute: str
) -> FirstCall | Blocked:
    """How ``self.attribute = ...`` in ``method`` is guarded, or why it has to stay."""
    receiver = owner.receiver(method)
    stores = (node for node in walk(method) if self_attribute(node, receiver) == attribute)
    if sum(not isinstance(node.ctx, ast.Load) for node in stores if isinstance(node, ast.Attribute)) > 1:
        return Blocked("set-on-self", f"self.{attribute}")
    guard = unit.names.parent(statement)
    if not isinstance(guard, ast.If) or not _asks(guard.test, receiver):
        if any(_asks(outer.test, receiver, attribute) for outer in _guards_above(unit, statement, method)):
            return Blocked("lazy-guard")
        changed = _set_elsewhere(owner, method, {attribute}, "set-on-self")
        return changed or FirstCall(statement, _placeholders(owner, {attribute}))
    made, flags = _made(unit, guard, receiver)
    if _asks_for_settings(owner, guard.test, receiver):
        changed = _set_elsewhere(owner, method, {attribute}, "set-on-self")
        return changed or FirstCall(statement, ())
    if guard.orelse or made is None or not _is_first_call_test(unit, guard.test, receiver, made | flags):
        return Blocked("lazy-guard", ast.unparse(guard.test))
    blocked = (
        _set_elsewhere(owner, method, made | flags, "lazy-guard")
        or _asked_elsewhere(owner, guard, made | flags)
        or _read_elsewhere(owner, guard, flags - {"built"})
    )
    return blocked or FirstCall(guard, _placeholders(owner, made | flags))


def _asks_for_settings(owner: Owner, test: ast.expr, receiver: str) -> bool:
    """Whether ``test`` speaks of attributes that have their final values when ``__init__`` ends."""
    asked = {self_attribute(node, receiver) or _asked_by_name(node, receiver) for node in walk(test)}
    return all(owner.attribute_blocked(name) is None for name in asked - {""})


def _guards_above(unit: Unit, statement: ast.stmt, method: MethodNode) -> Iterator[ast.If]:
    yield from (node for node in unit.names.ancestors(statement, method) if isinstance(node, ast.If))


def _asks(test: ast.expr, receiver: str, attribute: str = "") -> bool:
    """Whether ``test`` speaks of an attribute's being there (of ``attribute``, if given)."""
    for node in walk(test):
        asked = self_attribute(node, receiver) or _asked_by_name(node, receiver)
        if asked and (not attribute or asked == attribute):
            return True
    return False


def _asked_by_name(node: ast.AST, receiver: str) -> str:
    """``d`` in ``hasattr(self, "d")`` and ``getattr(self, "d", None)``."""
    match node:
        case ast.Call(
            func=ast.Name(id="hasattr" | "getattr"),
            args=[ast.Name(id=name), ast.Constant(value=str() as asked), *_],
        ):
            return asked if name == receiver else ""
    return ""


def _made(unit: Unit, guard: ast.If, receiver: str) -> tuple[set[str] | None, set[str]]:
    """The attributes for which the guard's body makes objects that move, and the flags that it sets; None if it does
    anything else."""
    made: set[str] = set()
    flags: set[str] = set()
    for statement in guard.body:
        match statement:
            case ast.Assign(targets=[ast.Attribute() as target], value=value) if self_attribute(
                target, receiver
            ):
                is_flag = isinstance(value, ast.Constant) and value.value is True
                if not is_flag and not _moves(unit, value):
                    return None, flags
                (flags if is_flag else made).add(target.attr)
            case ast.Pass():
                continue
            case _:
                return None, flags
    return made, flags


def _moves(unit: Unit, value: ast.expr) -> bool:
    if not isinstance(value, ast.Call):
        return False
    adds = isinstance(value.func, ast.Attribute) and value.func.attr in ("add_weight", "add_variable")
    return adds or makes_state(unit.index, unit.names.qualified(value.func) or "")


def _is_first_call_test(unit: Unit, test: ast.expr, receiver: str, names: set[str]) -> bool:
    """``self.d is None``, ``not self.d``, ``not hasattr(self, "d")``, ``getattr(self, "d", None) is None``,
    ``not self.done``, ``not self.built``, and two of them joined by ``or``."""
    match test:
        case ast.Compare(left=left, ops=[ast.Is() | ast.Eq()], comparators=[ast.Constant(value=None)]):
            asked = self_attribute(left, receiver) or _asked_by_name(left, receiver)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            asked = self_attribute(operand, receiver) or _asked_by_name(operand, receiver)
        case ast.BoolOp(op=ast.Or(), values=values):
            return all(_is_first_call_test(unit, value, receiver, names) for value in values)
        case _:
            return False
    return asked in names


def _set_elsewhere(owner: Owner, method: MethodNode, names: set[str], reason: str) -> Blocked | None:
    for name in sorted(names - {"built"}):
        if owner.setters(name) - {"__init__", method.name} or owner.is_set_by_relatives(name):
            return Blocked(reason, f"self.{name}")
        if owner.init is not None and _is_used_in_init(owner, name):
            return Blocked(reason, f"self.{name}")
    return None


def _is_used_in_init(owner: Owner, name: str) -> bool:
    """Whether ``__init__`` gives the attribute a value of its own, or reads it."""
    assert owner.init is not None
    receiver = owner.receiver(owner.init)
    uses = sum(self_attribute(node, receiver) == name for node in walk(owner.init))
    return uses > len(_placeholders(owner, {name}))


def _placeholders(owner: Owner, names: set[str]) -> tuple[ast.stmt, ...]:
    """``self.d = None`` and ``self.done = False`` among the statements of ``__init__``."""
    if owner.init is None:
        return ()
    receiver = owner.receiver(owner.init)
    found: list[ast.stmt] = []
    for statement in owner.init.body:
        target: ast.expr | None = None
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
        elif isinstance(statement, ast.AnnAssign):
            target = statement.target
        value = getattr(statement, "value", None)
        empty = isinstance(value, ast.Constant) and value.value in (None, False)
        if target is not None and empty and self_attribute(target, receiver) in names:
            found.append(statement)
    return tuple(found)


def _asked_elsewhere(owner: Owner, guard: ast.If, names: set[str]) -> Blocked | None:
    """Another question whether the attribute is there keeps its meaning only with the guard."""
    inside = {id(guard), *(id(node) for node in walk(guard.test))}
    for name, method in owner.methods.items():
        receiver = owner.receiver(method)
        for node in walk(method):
            if id(node) in inside:
                continue
            asked = _asked_by_name(node, receiver)
            if isinstance(node, ast.Compare | ast.UnaryOp | ast.BoolOp | ast.If | ast.IfExp):
                test = node.test if isinstance(node, ast.If | ast.IfExp) else node
                asked = asked or next((n for n in names if _is_bare(test, receiver, n)), "")
            if asked in names and name != "__init__":
                return Blocked("lazy-guard", f"self.{asked}")
    return None


def _read_elsewhere(owner: Owner, guard: ast.If, flags: set[str]) -> Blocked | None:
    """Whether anything but the guard reads a flag, which goes with it."""
    inside = {id(node) for node in ast.walk(guard)}
    for method in owner.methods.values():
        receiver = owner.receiver(method)
        for node in ast.walk(method):
            read = self_attribute(node, receiver)
            is_read = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)
            if is_read and read in flags and id(node) not in inside:
                return Blocked("lazy-guard", f"self.{read}")
    return None


def _is_bare(test: ast.expr, receiver: str, name: str) -> bool:
    """Whether the attribute itself (not what it holds or returns) is an operand of ``test``."""
    operands: list[ast.expr] = [test]
    if isinstance(test, ast.Compare):
        operands = [test.left, *test.comparators]
    elif isinstance(test, ast.UnaryOp):
        operands = [test.operand]
    elif isinstance(test, ast.BoolOp):
        operands = test.values
    return any(self_attribute(operand, receiver) == name for operand in operands)
