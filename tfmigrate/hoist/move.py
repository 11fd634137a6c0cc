"""One construction that moves, with everything that its rewrite needs, or the reason why it stays."""

from __future__ import annotations

import ast
import enum
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tfmigrate import tables
from tfmigrate.blocked import Blocked
from tfmigrate.hoist.context import Binding, Context, Kept, context_of
from tfmigrate.hoist.firstcall import FirstCall, first_call
from tfmigrate.hoist.guards import KeptGuard, kept_guards
from tfmigrate.hoist.lasting import IN_KERAS, IN_MODULE, OPTIMIZER, Lasting, lasting_of
from tfmigrate.hoist.owner import MethodNode, Owner
from tfmigrate.hoist.portable import Needs, Portability
from tfmigrate.hoist.shapes import InputShapes
from tfmigrate.hoist.weights import Weight, weight_of
from tfmigrate.project.index import Kind
from tfmigrate.syntax import FunctionNode, bound_names, own_nodes, parameters, self_attribute
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

_MAKING = ("make_", "build_", "create_", "get_", "new_", "make", "build", "create")
_KERAS = (Kind.LAYER, Kind.MODEL)
_BUILD_CAN_TELL = frozenset(
    {"depends-on-input-shape", "attribute-changes-later", "guard-cannot-move", "in-data-dependent-loop"}
)
"""Reasons against ``__init__`` that ``build`` may not share."""


class Place(enum.Enum):
    """The method that a construction moves to."""

    INIT = "__init__"
    BUILD = "build"


class What(enum.Enum):
    """What a construction makes."""

    LAYER = "layer"
    VARIABLE = "variable"
    WEIGHT = "weight"
    """``self.add_weight(...)``"""
    METRIC = "metric"
    """Set back in each call, so that loops around it make no difference."""
    OPTIMIZER = "optimizer"
    FACTORY = "factory"
    """``self.make()``, which makes a layer: called in ``build``, when the subclass that overrides it is ready."""


@dataclass(frozen=True, slots=True)
class Passed:
    """The layer is handed over to ``function``, called ``name``, at ``use``; there it may be bound to a local name."""

    function: FunctionNode
    name: str
    binding: Binding | None
    use: ast.Call
    is_optional: bool
    """The function has other callers, for whom it goes on to make its own layer."""


@dataclass(frozen=True, slots=True)
class Move:
    """``call`` in the method ``symbol`` moves to ``place``. ``qualified`` is the canonical name of what it calls."""

    call: ast.Call
    qualified: str
    symbol: str
    function: FunctionNode
    context: Context
    needs: Needs
    """Of the constructor and of the loops around it."""
    guards: tuple[KeptGuard, ...]
    place: Place
    first_call: FirstCall | None = None
    """For an object that the call keeps on the instance: what goes."""
    weight: Weight | None = None
    """For a ``tf.Variable`` that becomes a weight."""
    passed: Passed | None = None
    """For a layer that another function makes: loops and guards are those around its use."""
    lasting: Lasting | None = None
    """For a metric or an optimizer."""
    made: ast.Call | None = None
    """What is made instead of ``call``: the one layer that a ``Lambda`` applies."""

    @property
    def makes(self) -> ast.Call:
        """The constructor's call that is written in the new place."""
        return self.made or self.call

    @property
    def attributes(self) -> set[str]:
        """Attributes that have to be set before the construction."""
        return self.needs.attributes.union(*(guard.needs.attributes for guard in self.guards))


def planned_move(
    unit: Unit,
    owner: Owner,
    symbol: str,
    call: ast.Call,
    what: What = What.LAYER,
    made: ast.Call | None = None,
) -> Move | Blocked:
    """How ``call`` moves into the ``__init__`` or the ``build`` of ``owner``, or why it cannot.

    ``made`` is written there in its place.
    """
    function = unit.functions[symbol]
    if isinstance(function, ast.Lambda) or "<locals>" in symbol.removeprefix(owner.name):
        return Blocked("in-nested-function")
    receiver = owner.receiver(function) if function in owner.node.body else ""
    if not receiver:
        return Blocked("outside-class")
    if owner.init is not None and owner.receiver(owner.init) != receiver:
        return Blocked("init-not-visible")
    own_names = bound_names(own_nodes(function)) | {parameter.arg for parameter in parameters(function)}
    if what not in (What.WEIGHT, What.FACTORY) and _root(call.func) in own_names:
        return Blocked("local-class", ast.unparse(call.func))
    context = context_of(unit, call, function, what in (What.LAYER, What.FACTORY))
    if isinstance(context, Blocked):
        return context
    kept = _kept(unit, owner, function, context)
    if isinstance(kept, Blocked):
        return kept
    if kept is not None:
        context = _without_guard(context, kept)
    lasting = (
        _lasting(unit, owner, function, call, context) if what in (What.METRIC, What.OPTIMIZER) else None
    )
    if isinstance(lasting, Blocked):
        return lasting
    if what is What.METRIC:
        context = replace(context, loops=())
    blocked = owner.runs_once(symbol)
    if blocked:
        return blocked
    if owner.kind in _KERAS and owner.compiled_on_the_way(symbol):
        return Blocked("tf-function-on-call")
    weight = weight_of(unit, call) if what is What.VARIABLE and owner.kind in _KERAS else None
    if isinstance(weight, Blocked):
        return weight
    if what is What.FACTORY:
        if not _is_built(owner, function):
            return Blocked("returned-layer")
        return _moved_to(Place.BUILD, unit, owner, symbol, call, context, kept, None, None)
    moved = _moved_to(Place.INIT, unit, owner, symbol, call, context, kept, weight, made)
    if isinstance(moved, Blocked) and moved.reason in _BUILD_CAN_TELL and _is_built(owner, function):
        built = _moved_to(Place.BUILD, unit, owner, symbol, call, context, kept, weight, made)
        return moved if isinstance(built, Blocked) and built.reason in _BUILD_CAN_TELL else built
    return replace(moved, lasting=lasting) if isinstance(moved, Move) else moved


def _lasting(
    unit: Unit, owner: Owner, function: MethodNode, call: ast.Call, context: Context
) -> Lasting | Blocked:
    """How a metric or an optimizer is kept on the instance."""
    found = lasting_of(unit, function, call, context)
    if isinstance(found, Blocked):
        return found
    if isinstance(context.binding, Kept) or (found.reset_at is None and context.loops):
        return Blocked("state-in-call", ast.unparse(call.func))
    if found.reset_at is None:
        return replace(found, risk=OPTIMIZER)
    return replace(found, risk={Kind.NONE: "", Kind.MODULE: IN_MODULE}.get(owner.kind, IN_KERAS))


def _kept(unit: Unit, owner: Owner, function: MethodNode, context: Context) -> FirstCall | Blocked | None:
    binding = context.binding
    if not isinstance(binding, Kept):
        return None
    if context.loops:
        return Blocked("layer-escapes")
    if binding.attribute in tables.RESERVED_ATTRIBUTES:
        return Blocked("set-on-self", f"self.{binding.attribute}")
    return first_call(unit, owner, function, binding.statement, binding.attribute)


def _without_guard(context: Context, kept: FirstCall) -> Context:
    test = getattr(kept.goes, "test", None)
    return replace(context, guards=tuple(guard for guard in context.guards if guard.test is not test))


def _is_built(owner: Owner, function: MethodNode) -> bool:
    """Whether Keras runs ``build`` before this method, with the shape of this method's own first argument."""
    return owner.kind in _KERAS and function.name == "call"


def _moved_to(
    place: Place,
    unit: Unit,
    owner: Owner,
    symbol: str,
    call: ast.Call,
    context: Context,
    kept: FirstCall | None,
    weight: Weight | None,
    made: ast.Call | None,
) -> Move | Blocked:
    function = unit.functions[symbol]
    assert isinstance(function, MethodNode)
    receiver = owner.receiver(function)
    shapes = InputShapes(unit, function, owner.shape_name) if place is Place.BUILD else None
    checks = {Place.INIT: owner.attribute_blocked, Place.BUILD: owner.attribute_blocked_in_build}
    given = owner.call_site_arguments(symbol)
    makes_tensors = owner.kind not in _KERAS
    reading = Portability(unit, function, receiver, checks[place], given, shapes, makes_tensors)
    needs = _all_needs(_expressions(made or call, receiver, weight), context, reading)
    if isinstance(needs, Blocked):
        return needs
    guards = kept_guards(context, needs, reading, receiver, owner.may_be_none)
    if isinstance(guards, Blocked):
        return guards
    hidden = owner.names_in_init if place is Place.INIT else owner.names_in_build
    blocked = shadowed(hidden, needs, guards)
    if blocked is None and place is Place.BUILD:
        blocked = owner.build_blocked()
    func = (made or call).func
    qualified = unit.names.qualified(func) or _product(func)
    return blocked or Move(
        call, qualified, symbol, function, context, needs, guards, place, kept, weight, made=made
    )


def _product(func: ast.expr) -> str:
    """``mixer`` for ``self.make_mixer``."""
    name = func.attr.lstrip("_") if isinstance(func, ast.Attribute) else ""
    prefix = next((prefix for prefix in _MAKING if name.startswith(prefix)), "")
    return name.removeprefix(prefix) or "layer"


def _root(func: ast.expr) -> str:
    while isinstance(func, ast.Attribute):
        func = func.value
    return func.id if isinstance(func, ast.Name) else ""


def _expressions(call: ast.Call, receiver: str, weight: Weight | None) -> Sequence[ast.expr]:
    """What has to be evaluated in the new place."""
    if weight is not None:
        return weight.expressions
    if self_attribute(call.func, receiver):  # self.add_weight(...), self.make()
        return [*call.args, *(keyword.value for keyword in call.keywords)]
    return [call]


def _all_needs(expressions: Sequence[ast.expr], context: Context, reading: Portability) -> Needs | Blocked:
    loop_names: set[str] = set()
    total = Needs()
    for loop in context.loops:
        needs = reading.needs(loop.iter, frozenset(loop_names))
        if isinstance(needs, Blocked):
            unknown_length = needs.reason.startswith("depends-on") or needs.reason == "argument-calls-code"
            return Blocked("in-data-dependent-loop", ast.unparse(loop.iter)) if unknown_length else needs
        loop_names |= bound_names(walk(loop.target))
        total.add(needs)
    for expression in expressions:
        needs = reading.needs(expression, frozenset(loop_names))
        if isinstance(needs, Blocked):
            return needs
        total.add(needs)
    return total


def shadowed(hidden: set[str], needs: Needs, guards: tuple[KeptGuard, ...]) -> Blocked | None:
    """Whether a global that the construction needs means something else where ``hidden`` are local names."""
    used = needs.globals.union(*(guard.needs.globals for guard in guards))
    clash = sorted(hidden & used)
    return Blocked("name-shadowed-in-init", clash[0]) if clash else None
