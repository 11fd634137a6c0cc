"""``Lambda`` layers whose function makes a layer: ``Lambda(lambda t: Dense(3)(t))`` is ``Dense(3)``.

Measured: Keras 3 calls such a function anew each time, with new weights that nobody tracks, and raises when it is compiled.
Keras 2 refuses a ``Lambda`` that makes weights, or uses another layer's, at its first call. So the layer takes the place of
the ``Lambda`` where it is all that its function does. Where it does more, only a layer of its own is right in both.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from tfmigrate import tables
from tfmigrate.blocked import Blocked
from tfmigrate.codemod import Change
from tfmigrate.hoist.owner import Owner
from tfmigrate.hoist.rewrite import code_of
from tfmigrate.lazy import libcst as cst
from tfmigrate.syntax import FunctionNode, self_attribute
from tfmigrate.unit import Unit
from tfmigrate.walk import walk


@dataclass(frozen=True, slots=True)
class Unwrapped:
    """``made`` takes the place of ``around``, the ``Lambda`` layer whose function applies it and does nothing else."""

    made: ast.Call
    around: ast.Call


def lambda_layer(unit: Unit, function: FunctionNode) -> ast.Call | None:
    """The ``Lambda`` layer that runs ``function``; the first of them, if there are several."""
    if isinstance(function, ast.Lambda):
        parent = unit.names.parent(function)
        parent = unit.names.parent(parent) if isinstance(parent, ast.keyword) else parent
        return parent if isinstance(parent, ast.Call) and _is_lambda_layer(unit, parent) else None
    for node in walk(unit.tree):
        if isinstance(node, ast.Call) and _is_lambda_layer(unit, node):
            given = [
                *node.args[:1],
                *(keyword.value for keyword in node.keywords if keyword.arg == "function"),
            ]
            if any(isinstance(one, ast.Name) and one.id == function.name for one in given):
                scope = unit.names.enclosing_function(function)
                if scope is None or scope is unit.names.enclosing_function(node):
                    return node
    return None


def _is_lambda_layer(unit: Unit, call: ast.Call) -> bool:
    return unit.names.qualified(call.func) == "keras.layers.Lambda"


def unwrapped(function: FunctionNode, around: ast.Call, made: ast.Call) -> Unwrapped | Blocked:
    """How ``made`` takes the place of the ``Lambda`` layer ``around`` that runs ``function``, or why it cannot."""
    match function:
        case ast.Lambda(
            args=ast.arguments(posonlyargs=[], args=[parameter], kwonlyargs=[], vararg=None, kwarg=None),
            body=ast.Call(func=func, args=[ast.Name(id=given)], keywords=[]),
        ) if (
            func is made and given == parameter.arg
        ):
            mentions = any(isinstance(node, ast.Name) and node.id == given for node in walk(made))
            plain = len(around.args) == 1 and not around.keywords
            if plain and not mentions:
                return Unwrapped(made, around)
    return Blocked("lambda-owns-weights", ast.unparse(around))


def settled(unit: Unit, owner: Owner | None, found: Unwrapped) -> Unwrapped | Blocked:
    """Whether the arguments of the layer are the same when the ``Lambda`` is made as when it is called.

    For a ``Lambda`` that is made in ``__init__``, in a function that builds a model, or at module level.
    """
    scope = unit.names.enclosing_function(found.around)
    is_init = owner is not None and scope is owner.init
    receiver = owner.receiver(owner.init) if is_init and owner is not None and owner.init is not None else ""
    if not _is_applied_once(unit, owner if receiver else None, receiver, found.around):
        return Blocked("helper-called-more-than-once", ast.unparse(found.around))
    later = [node for node in walk(scope or unit.tree) if _is_later_store(unit, node, found.around)]
    for argument in (*found.made.args, *(keyword.value for keyword in found.made.keywords)):
        for node in walk(argument):
            if isinstance(node, ast.Call) and not tables.is_pure_call(unit.names.qualified(node.func) or ""):
                return Blocked("argument-calls-code", ast.unparse(node.func))
            if isinstance(node, ast.Name) and any(_name(one) == node.id for one in later):
                return Blocked("depends-on-local", node.id)
            attribute = self_attribute(node, receiver)
            if attribute and owner is not None:
                blocked = owner.attribute_blocked(attribute)
                if any(self_attribute(one, receiver) == attribute for one in later):
                    blocked = Blocked("attribute-changes-later", f"{receiver}.{attribute}")
                if blocked is not None:
                    return blocked
    return found


def _is_applied_once(unit: Unit, owner: Owner | None, receiver: str, around: ast.Call) -> bool:
    """Whether the ``Lambda`` is applied at one place: each application made a layer of its own."""
    parent = unit.names.parent(around)
    if isinstance(parent, ast.Call) and parent.func is around:
        return True
    if not isinstance(parent, ast.Assign) or len(parent.targets) != 1:
        return False
    attribute = self_attribute(parent.targets[0], receiver)
    if owner is not None and attribute:
        methods = [(method, owner.receiver(method)) for method in owner.methods.values()]
        uses = [
            node
            for method, name in methods
            for node in walk(method)
            if self_attribute(node, name) == attribute
        ]
        inherited = owner.is_set_by_relatives(attribute) or owner.descendants
        if inherited or any(owner.runs_once(f"{owner.name}.{name}") for name in _methods_with(owner, uses)):
            return False
    else:
        scope: ast.AST = unit.names.enclosing_function(around) or unit.tree
        name = _name(parent.targets[0])
        uses = [node for node in walk(scope) if _name(node) == name and name]
    applied = [node for node in uses if isinstance(getattr(node, "ctx", None), ast.Load)]
    return len(uses) == 2 and len(applied) == 1 and _is_plainly_called(unit, applied[0])


def _methods_with(owner: Owner, nodes: list[ast.AST]) -> set[str]:
    inside = {id(node) for node in nodes}
    return {
        name
        for name, method in owner.methods.items()
        if name != "__init__" and any(id(node) in inside for node in walk(method))
    }


def _is_plainly_called(unit: Unit, node: ast.AST) -> bool:
    parent = unit.names.parent(node)
    if not isinstance(parent, ast.Call) or parent.func is not node:
        return False
    above: ast.AST | None = parent
    while above is not None and not isinstance(above, ast.FunctionDef):
        if isinstance(above, ast.For | ast.While | ast.Lambda | ast.comprehension | ast.ListComp):
            return False
        above = unit.names.parent(above)
    return True


def _is_later_store(unit: Unit, node: ast.AST, around: ast.Call) -> bool:
    """Whether ``node`` is set behind ``around``, or in a loop around both."""
    if not isinstance(node, ast.Name | ast.Attribute) or isinstance(node.ctx, ast.Load):
        return False
    if node.lineno > around.lineno:
        return True
    parent = unit.names.parent(around)
    while parent is not None and not isinstance(parent, ast.FunctionDef | ast.Lambda):
        if isinstance(parent, ast.For | ast.While) and node.lineno >= parent.lineno:
            return True
        parent = unit.names.parent(parent)
    return False


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def unwrapped_change(unit: Unit, found: Unwrapped) -> Change:
    """The layer in the place of the ``Lambda``."""
    new = cst.parse_expression(code_of(unit.cst_expression(found.made)))
    return Change(unit.cst_expression(found.around), new)
