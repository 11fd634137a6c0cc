"""Move the construction of Keras layers out of traced code into ``__init__``.

A layer that is made inside ``call`` (or in anything that ``call``, ``train_step`` or a ``tf.function`` runs) is another
layer, with new random weights, at each call. Keras tracks none of these weights: they are not trained, saved or loaded.
Compiled, the same code raises "tf.function only supports singleton tf.Variables created on the first call"; a layer
with sublayers may instead run on frozen weights without a word. Dropout and the noise layers own a seed variable in
Keras 3, so ``Dropout(rate)(x)`` inside ``call``, which Keras 2 runs, raises there too.

The construction moves to ``__init__``, under an attribute of its own for each place, and the place uses the attribute.
Layers made in a loop become a list. What cannot be evaluated in ``__init__`` with certainty is left alone, and said.

Two things change on purpose: the weights stay from one call to the next, and BatchNormalization's moving averages are
kept. Names of weights and the order in which they are saved follow the new attributes; the original could save none.

https://keras.io/guides/making_new_layers_and_models_via_subclassing/
https://www.tensorflow.org/guide/function#creating_tfvariables
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from tfmigrate import tables
from tfmigrate.claim import Claim
from tfmigrate.codemod import Codemod, Edit, Example, Refusal, Safety, Site
from tfmigrate.hoist.blocked import REASONS, Blocked
from tfmigrate.hoist.context import Context, Kept, context_of
from tfmigrate.hoist.move import Move, Place, planned_move
from tfmigrate.hoist.owner import Owner
from tfmigrate.hoist.rewrite import Moved
from tfmigrate.hoist.transplant import transplant
from tfmigrate.project.index import Kind, ProjectIndex
from tfmigrate.syntax import FunctionNode, own_nodes, self_attribute
from tfmigrate.unit import Unit

LAYER, STATELESS, VARIABLE, LAZY, STATE = "TFM101", "TFM102", "TFM103", "TFM104", "TFM105"

codemod = Codemod(
    __name__,
    summary="move layers made in call to __init__",
    codes={
        LAYER: "layer-in-call",
        STATELESS: "stateless-layer-in-call",
        VARIABLE: "variable-in-call",
        LAZY: "lazy-layer-in-call",
        STATE: "state-in-call",
    },
    refusals={reason: why for reason, (why, _) in REASONS.items()},
    safety=Safety.SAFE,
    marker=(b"call", b"function", b"_step", b"map"),
    off_by_default=frozenset({STATELESS}),
    order=10,
    claim=Claim(
        first_call_only=True,
        may_track_more=True,
        may_fix_graph=True,
        may_fix_eager=True,
        constant_weight_count=True,
    ),
    examples=[
        Example(
            before="""\
from tensorflow import keras


class Net(keras.Model):
    def call(self, x):
        x = keras.layers.Dense(8, activation="relu")(x)
        return keras.layers.Dense(1)(x)
""",
            after="""\
from tensorflow import keras


class Net(keras.Model):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.dense = keras.layers.Dense(8, activation="relu")
        self.dense_1 = keras.layers.Dense(1)

    def call(self, x):
        x = self.dense(x)
        return self.dense_1(x)
""",
        ),
        Example(
            before="""\
from tensorflow.keras import layers


class Tower(layers.Layer):
    def __init__(self, widths, rate):
        super().__init__()
        self.widths = widths
        self.rate = rate

    def call(self, x, training=None):
        for width in self.widths:
            x = layers.Dense(width)(x)
        return layers.Dropout(self.rate)(x, training=training)
""",
            after="""\
from tensorflow.keras import layers


class Tower(layers.Layer):
    def __init__(self, widths, rate):
        super().__init__()
        self.widths = widths
        self.rate = rate
        self.dense_layers = [layers.Dense(width) for width in self.widths]
        self.dropout = layers.Dropout(self.rate)

    def call(self, x, training=None):
        for dense in self.dense_layers:
            x = dense(x)
        return self.dropout(x, training=training)
""",
        ),
        Example(
            before="""\
from tensorflow.keras import layers


class Scale(layers.Layer):
    def call(self, x, units):
        return layers.Dense(units)(x)
""",
            refused="depends-on-call-argument",
        ),
    ],
    sabotage=[
        Example(
            before="""\
from tensorflow import keras


class Net(keras.Model):
    def call(self, x):
        x = keras.layers.Dense(4)(x)
        return keras.layers.Dense(4)(x)
""",
            after="""\
from tensorflow import keras


class Net(keras.Model):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.dense = keras.layers.Dense(4)

    def call(self, x):
        x = self.dense(x)
        return self.dense(x)
""",
        ),
    ],
)


@dataclass(frozen=True, slots=True)
class _Found:
    """A place that makes state in traced code."""

    code: str
    call: ast.Call
    symbol: str
    blocked: Blocked | None = None
    """Known to stay, whatever is around it."""


@codemod.candidates
def candidates(index: ProjectIndex, path: str) -> bool:
    """A traced function of the file calls something that is spelled like a class, or adds a weight."""
    module = index.module_at(path)
    if module is None:
        return False
    for qualname in index.traced(path):
        function = module.functions.get(qualname)
        for call in function.calls if function else ():
            if call.callee.endswith(("add_weight", "add_variable", ".variable")):
                return True
            if not tables.is_class_name(call.callee) and ".Generator." not in call.callee:
                continue
            name = index.resolve(module.name, call.callee, qualname)
            if name and (_is_layer(index, name) or _state_of(name)):
                return True
    return False


@codemod.plan
def plan(unit: Unit) -> Iterator[Edit | Refusal]:
    """One class after the other; what stands outside of classes on its own."""
    groups: dict[str, list[_Found]] = {}
    functions = [(symbol, unit.functions[symbol]) for symbol in unit.traced if symbol in unit.functions]
    for symbol, function in sorted(functions, key=lambda pair: (pair[1].lineno, pair[1].col_offset)):
        owner = _owner_name(unit, function)
        groups.setdefault(owner, []).extend(_found(unit, symbol, function))
    given: dict[str, set[str]] = {}
    for owner, found in groups.items():
        wanted = sorted((one for one in found if unit.is_wanted(one.code, one.call)), key=_place)
        if not wanted:
            continue
        if owner:
            yield from _class_plan(unit, Owner(unit, owner), wanted, given)
        else:
            yield from (_refusal(unit, "", one, one.blocked or Blocked("outside-class")) for one in wanted)


def _place(found: _Found) -> tuple[int, int]:
    return found.call.lineno, found.call.col_offset


def _owner_name(unit: Unit, function: FunctionNode) -> str:
    owner = unit.names.enclosing_class(function)
    return unit.names.qualname(owner) if owner is not None else ""


# -- finding ---------------------------------------------------------------------------------------------------------


def _found(unit: Unit, symbol: str, function: FunctionNode) -> Iterator[_Found]:
    calls = [node for node in own_nodes(function) if isinstance(node, ast.Call)]
    for call in calls:
        name = unit.names.qualified(call.func) or ""
        if _is_layer(unit.index, name):
            yield from _found_layer(unit, symbol, function, call, name)
        elif isinstance(call.func, ast.Attribute) and call.func.attr in ("add_weight", "add_variable"):
            yield _Found(VARIABLE, call, symbol, Blocked("variable-in-call"))
        elif state := _state_of(name):
            variable = state == "a variable"
            blocked = (
                Blocked("variable-in-call") if variable else Blocked("state-in-call", ast.unparse(call.func))
            )
            if not (_is_lazy(unit, function, call) and not _is_keras(unit, function)):
                yield _Found(VARIABLE if variable else STATE, call, symbol, blocked)


def _found_layer(
    unit: Unit, symbol: str, function: FunctionNode, call: ast.Call, name: str
) -> Iterator[_Found]:
    if _is_inside_layer(unit, call, function):
        return
    if name == "keras.Model":
        yield _Found(STATE, call, symbol, Blocked("functional-model"))
    elif _is_kept_on_self(unit, call, function):
        if not (_is_lazy(unit, function, call) and not _is_keras(unit, function)):
            yield _Found(LAZY, call, symbol)
    else:
        yield _Found(STATELESS if _is_stateless(unit.index, name) else LAYER, call, symbol)


def _is_layer(index: ProjectIndex, name: str) -> bool:
    if name.startswith("keras.layers."):
        return tables.is_class_name(name) and name.rpartition(".")[2] not in tables.NOT_LAYERS
    return bool(name) and index.kind(name) in (Kind.LAYER, Kind.MODEL)


def _state_of(name: str) -> str:
    if name in tables.STATE_CONSTRUCTORS:
        return tables.STATE_CONSTRUCTORS[name]
    owned = name.startswith(tables.STATE_MODULES) and ".schedules." not in name
    return "an object with variables" if owned and tables.is_class_name(name) else ""


def _is_stateless(index: ProjectIndex, name: str) -> bool:
    if name.startswith("keras.layers."):
        return name.rpartition(".")[2] in tables.STATELESS_LAYERS
    if index.class_facts(name) is None:
        return False
    return all(_makes_nothing(index, base) for base in index.mro(name))


def _makes_nothing(index: ProjectIndex, name: str) -> bool:
    facts = index.class_facts(name)
    if facts is None:
        return name in (
            "keras.layers.Layer",
            "builtins.object",
            "tensorflow.Module",
        ) or _is_stateless_library(name)
    return not any(
        call.callee.endswith(("add_weight", "add_variable", ".variable"))
        or (tables.is_class_name(call.callee) and not call.callee.endswith("Error"))
        for method in facts.methods.values()
        for call in method.calls
    )


def _is_stateless_library(name: str) -> bool:
    return name.startswith("keras.layers.") and name.rpartition(".")[2] in tables.STATELESS_LAYERS


def _is_inside_layer(unit: Unit, call: ast.Call, function: FunctionNode) -> bool:
    """Whether ``call`` stands among the arguments of another layer's constructor, and moves along with that."""
    child: ast.AST = call
    parent = unit.names.parent(call)
    while parent is not None and parent is not function:
        if isinstance(parent, ast.Call) and child is not parent.func:
            name = unit.names.qualified(parent.func) or ""
            if _is_layer(unit.index, name):
                return True
        child, parent = parent, unit.names.parent(parent)
    return False


def _is_kept_on_self(unit: Unit, call: ast.Call, function: FunctionNode) -> bool:
    context = context_of(unit, call, function)
    return isinstance(context, Context) and isinstance(context.binding, Kept)


def _is_lazy(unit: Unit, function: FunctionNode, call: ast.Call) -> bool:
    """Whether a condition around ``call`` asks for an attribute of the object, as a first-call guard does."""
    receiver = function.args.args[0].arg if function.args.args else ""
    node: ast.AST | None = unit.names.parent(call)
    while node is not None and node is not function:
        if isinstance(node, ast.If) and any(
            self_attribute(part, receiver)
            or (isinstance(part, ast.Call) and unit.names.qualified(part.func) == "builtins.hasattr")
            for part in ast.walk(node.test)
        ):
            return True
        node = unit.names.parent(node)
    return False


def _is_keras(unit: Unit, function: FunctionNode) -> bool:
    """Whether the function belongs to a class that Keras may lock; elsewhere a first-call guard is right."""
    owner = _owner_name(unit, function)
    return not owner or unit.index.kind(unit.qualified(owner)) not in (Kind.MODULE, Kind.NONE)


# -- deciding --------------------------------------------------------------------------------------------------------


def _class_plan(
    unit: Unit, owner: Owner, found: list[_Found], given: dict[str, set[str]]
) -> Iterator[Edit | Refusal]:
    class_blocked = owner.blocked()
    moves: list[tuple[_Found, Move]] = []
    staying: list[tuple[_Found, Blocked]] = []
    for one in found:
        decided = one.blocked or class_blocked or planned_move(unit, owner, one.symbol, one.call)
        if isinstance(decided, Blocked):
            staying.append((one, decided))
        else:
            moves.append((one, decided))
    if any(one.code != STATELESS for one, _ in staying):
        staying.extend((one, Blocked("class-stays-whole")) for one, _ in moves)
    elif moves:
        yield from _moved_or_refused(unit, owner, moves, given)
    yield from (_refusal(unit, owner.name, one, blocked) for one, blocked in staying)


def _moved_or_refused(
    unit: Unit, owner: Owner, moves: list[tuple[_Found, Move]], given: dict[str, set[str]]
) -> Iterator[Edit | Refusal]:
    done = transplant(unit, owner, [move for _, move in moves], given)
    if isinstance(done, Blocked):
        yield from (_refusal(unit, owner.name, one, done) for one, _ in moves)
        return
    moved, changes = done
    sites = tuple(
        _site(unit, owner.name, one, _message(one, new)) for (one, _), new in zip(moves, moved, strict=True)
    )
    yield Edit(changes, sites)


def _site(unit: Unit, owner: str, found: _Found, message: str) -> Site:
    return unit.site(
        found.call, found.code, message, found.symbol, owner or found.symbol.split(".<locals>")[0]
    )


def _refusal(unit: Unit, owner: str, found: _Found, blocked: Blocked) -> Refusal:
    message = f"`{ast.unparse(found.call.func)}` is made in `{found.symbol}`, which runs inside a graph"
    return Refusal(_site(unit, owner, found, message), blocked.reason, blocked.why, blocked.hint)


def _message(found: _Found, moved: Moved) -> str:
    context: Context = moved.move.context
    what = f"`{ast.unparse(found.call.func)}` is made in `{found.symbol}`, which runs inside a graph"
    place = "" if moved.move.place is Place.INIT else ", made in `build`"
    where = f"moved to `self.{moved.attribute}`" + (", a list" if context.loops else "") + place
    dropped = len(context.guards) > len(moved.move.guards)
    return f"{what}: {where}" + (" (made whether or not its branch is taken)" if dropped else "")
