"""State that ``__init__`` makes before ``super().__init__()``: the call of the base's ``__init__`` moves up.

Measured: a Keras 2 ``Model`` raises for a layer, a ``tf.Variable`` or a list of them (an empty one too) that is kept
before its ``__init__`` ran ("forgot to call `super().__init__()`"); a Keras 2 ``Layer`` takes them, as does all of
Keras 3. ``self.add_weight`` before it raises in both. Settings kept before it work everywhere and are no reason to move
anything.

The call moves to directly before the first attribute that is set, if nothing on the way changes its arguments, and Keras's
own ``__init__`` is all that it runs: that reads and sets none of the attributes that it would now come before.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tfmigrate import tables
from tfmigrate.blocked import Blocked
from tfmigrate.codemod import AnyChange, Change, Insertion, Target
from tfmigrate.hoist.changes import changes_held, taker_of
from tfmigrate.hoist.owner import Owner
from tfmigrate.hoist.state import makes_state
from tfmigrate.lazy import libcst as cst
from tfmigrate.project.index import Kind
from tfmigrate.syntax import bound_names, self_attribute
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

CODE = "TFM108"
_WEIGHTS = frozenset({"add_weight", "add_variable"})
_LEAVES_NAMES_ALONE = ("tensorflow.", "keras.", "numpy.", "builtins.", "math.")
_OTHER_THAN_INIT = frozenset({"subclass-skips-init", "mixin-init-not-run"})


@dataclass(frozen=True, slots=True)
class EarlyState:
    """``made`` is made for ``self.attribute`` (empty for a weight that is not kept) before the base's ``__init__``."""

    made: ast.expr
    attribute: str
    super_index: int
    """Index of the call in the body of ``__init__``."""


def early_state(unit: Unit, owner: Owner) -> EarlyState | None:
    """The first state of a Keras class that is made before ``super().__init__()`` and cannot be kept yet."""
    if owner.init is None or owner.kind not in (Kind.LAYER, Kind.MODEL) or owner.super_index is None:
        return None
    receiver = owner.receiver(owner.init)
    for statement in owner.init.body[: owner.super_index]:
        for node in walk(statement):
            if isinstance(node, ast.Call) and self_attribute(node.func, receiver) in _WEIGHTS:
                return EarlyState(node, "", owner.super_index)
            kept = _kept(node, receiver)
            if kept is None or owner.kind is Kind.LAYER or unit.target is Target.KERAS3:
                continue
            attribute, value = kept
            if _is_tracked(unit, value):
                return EarlyState(value, attribute, owner.super_index)
    return None


def _kept(node: ast.AST, receiver: str) -> tuple[str, ast.expr] | None:
    match node:
        case ast.Assign(targets=[target], value=value) | ast.AnnAssign(
            target=target, value=ast.expr() as value
        ):
            attribute = self_attribute(target, receiver)
            return (attribute, value) if attribute else None
    return None


def _is_tracked(unit: Unit, value: ast.expr) -> bool:
    """Whether Keras 2 takes the value for something to track: a layer, a variable, nothing but these, or nothing."""
    if isinstance(value, ast.List | ast.Tuple):
        return all(_is_tracked(unit, element) for element in value.elts)
    if isinstance(value, ast.Dict):
        return all(_is_tracked(unit, element) for element in value.values)
    if isinstance(value, ast.ListComp):
        return _is_tracked(unit, value.elt)
    if not isinstance(value, ast.Call):
        return False
    name = unit.names.qualified(value.func) or ""
    if name in ("builtins.list", "builtins.dict", "builtins.tuple"):
        return not value.args and not value.keywords
    return makes_state(unit.index, name) and not name.startswith(("keras.optimizers.", "tensorflow.lookup."))


def super_changes(unit: Unit, owner: Owner, early: EarlyState) -> list[AnyChange] | Blocked:
    """The call of the base's ``__init__``, moved up, or why it stays."""
    assert owner.init is not None
    body = owner.init.body
    statement = body[early.super_index]
    call = _plain_call(statement)
    receiver = owner.receiver(owner.init)
    blocked = owner.blocked()
    if blocked is not None and blocked.reason not in _OTHER_THAN_INIT:
        return blocked
    if call is None or not unit.has_own_line(statement):
        return Blocked("super-not-plain", ast.unparse(statement).splitlines()[0])
    if not owner.has_plain_bases or "__setattr__" in owner.methods:
        return Blocked("super-reads-attributes", owner.name)
    first = next(i for i, one in enumerate(body) if any(_is_receiver(node, receiver) for node in walk(one)))
    passed = body[first : early.super_index]
    if name := next(_overwritten(owner, passed, receiver), ""):
        return Blocked("super-sets-attribute", f"{receiver}.{name}")
    if argument := next(_changed(unit, call, passed, receiver), ""):
        return Blocked("super-arguments-change", argument)
    anchor = body[first]
    if not isinstance(anchor, ast.If | ast.For | ast.While | ast.With | ast.Try) and not unit.has_own_line(
        anchor
    ):
        return Blocked("super-not-plain", ast.unparse(anchor))
    line = unit.cst(statement, cst.SimpleStatementLine)
    leading = [one for one in line.leading_lines if one.comment is not None]
    moved = line.deep_clone().with_changes(leading_lines=leading)
    return [Change(line, None), Insertion(unit.cst_statement(anchor), (moved,), after=False)]


def _plain_call(statement: ast.stmt) -> ast.Call | None:
    """``super().__init__(...)`` as a statement of its own."""
    match statement:
        case ast.Expr(
            value=ast.Call(
                func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr="__init__")
            ) as call
        ):
            return call
    return None


def _is_receiver(node: ast.AST, receiver: str) -> bool:
    return isinstance(node, ast.Name) and node.id == receiver


def _overwritten(owner: Owner, passed: Sequence[ast.stmt], receiver: str) -> Iterator[str]:
    """Attributes set on the way that Keras's ``__init__`` sets too, or whose setting runs code."""
    for statement in passed:
        for node in walk(statement):
            attribute = self_attribute(node, receiver)
            if not attribute or isinstance(getattr(node, "ctx", None), ast.Load):
                continue
            if (
                attribute in tables.RESERVED_ATTRIBUTES | tables.KERAS_ATTRIBUTES
                or attribute in owner.methods
            ):
                yield attribute


def _changed(unit: Unit, call: ast.Call, passed: Sequence[ast.stmt], receiver: str) -> Iterator[str]:
    """Arguments of the call that what it passes may change, or that are no plain values."""
    bound = bound_names(node for statement in passed for node in walk(statement))
    for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
        names = {node.id for node in walk(argument) if isinstance(node, ast.Name)}
        runs = any(isinstance(node, ast.Call | ast.NamedExpr | ast.Await) for node in walk(argument))
        held = (node for statement in passed for node in walk(statement))
        changed = any(
            isinstance(node, ast.Name) and node.id in names and _may_change(unit, node) for node in held
        )
        if runs or receiver in names or names & bound or changed:
            yield ast.unparse(argument)


def _may_change(unit: Unit, use: ast.Name) -> bool:
    """Whether what ``use`` reads is changed where it stands: ``kwargs.pop("units")``, ``fill(kwargs)``."""
    if changes_held(unit, use):
        return True
    callee = taker_of(unit, use)
    return callee is not None and not callee.startswith(_LEAVES_NAMES_ALONE)
