"""Move layers and variables that traced code makes to ``__init__`` or ``build``.

A layer that is made inside ``call`` (or in anything that ``call``, ``train_step`` or a ``tf.function`` runs) is another
layer, with new random weights, at each call. Keras tracks none of these weights: they are not trained, saved or loaded.
Compiled, the same code raises "tf.function only supports singleton tf.Variables created on the first call"; a layer
with sublayers may instead run on frozen weights without a word. Dropout and the noise layers own a seed variable in
Keras 3, so ``Dropout(rate)(x)`` inside ``call``, which Keras 2 runs, raises there too.

- TFM101: the construction moves to ``__init__``, under an attribute of its own for each place, and the place uses the
  attribute; to ``build`` where an argument is the last axis of the input. Layers made in a loop become a list. A function
  that runs several times in one call gets a layer handed over by each use. In a module-level ``tf.function`` they become
  globals. A ``Dropout`` whose rate only the call knows becomes ``tf.nn.dropout``. A ``Lambda`` layer that only applies a
  layer which it makes is that layer.
- TFM102: layers without weights, which are harmless; off by default.
- TFM103: a ``tf.Variable`` in a call becomes a weight (``add_weight``), or, where it is scratch space, a tensor.
- TFM104: layers that the first call makes, behind a guard or not; the guard goes.
- TFM105: other objects with variables. SGD that keeps nothing is written out. A metric of a module-level function is kept
  and set back where it was made. Metrics of layers and models, which Keras then shows, and optimizers, which then keep
  their state, are kept with ``--unsafe`` only: that changes behaviour. The rest is left alone and said.
  A functional model that a function builds is built once for each shape, outside of the graph. A module-level
  ``tf.function`` whose model or optimizer a loop binds anew is compiled anew for each.
- TFM106: a ``tf.Variable`` that a layer keeps becomes a weight: Keras 3 does not track it.
- TFM107: ``@tf.function`` on ``call`` gets a ``build`` that builds the sublayers before the first trace. Where their
  shapes cannot be told and ``call`` has nothing for AutoGraph to convert, the decorator goes.
- TFM108: layers and variables that a model keeps before ``super().__init__()``, which Keras 2 refuses: the call moves up.
- TFM109: a ``build`` that does not note that it has run: in Keras 2 a layer that was built by hand is built anew by its
  first call, and loaded weights are lost. It says so at its end. Harmless where only calls build it, and in Keras 3 (which
  notes it by itself); off by default.

A class is rewritten as a whole or not at all. What cannot be evaluated in ``__init__`` with certainty is left alone, and
said. Two things change on purpose: the weights stay from one call to the next, and BatchNormalization's moving averages
are kept. Names of weights and the order in which they are saved follow the new attributes; the original could save none.

https://keras.io/guides/making_new_layers_and_models_via_subclassing/
https://www.tensorflow.org/guide/function#creating_tfvariables
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tfmigrate import tables
from tfmigrate.blocked import Blocked, refusal
from tfmigrate.claim import Claim
from tfmigrate.codemod import AnyChange, Codemod, Edit, Example, Refusal, Safety, Site, Target
from tfmigrate.hoist.attributes import kept_variables, weight_in_place
from tfmigrate.hoist.building import build_changes, compiled_call, library_layers
from tfmigrate.hoist.built import built_changes, silent_build
from tfmigrate.hoist.guards import is_made_anyway
from tfmigrate.hoist.kept_models import KeptModel, covered, is_lifted, kept_model_changes, kept_models
from tfmigrate.hoist.lambdas import Unwrapped, lambda_layer, settled, unwrapped, unwrapped_change
from tfmigrate.hoist.lasting import is_metric, is_optimizer
from tfmigrate.hoist.makers import may_be_disguised
from tfmigrate.hoist.module_level import GlobalMove, global_changes, global_move
from tfmigrate.hoist.move import Move, Place, What, planned_move
from tfmigrate.hoist.operations import Operation, dropout_operation, operation_change
from tfmigrate.hoist.owner import Owner
from tfmigrate.hoist.passing import owner_of_helper, passed_moves
from tfmigrate.hoist.reasons import REASONS
from tfmigrate.hoist.rewrite import Moved
from tfmigrate.hoist.scratch import Scratch, is_assigned, scratch_changes, scratch_of
from tfmigrate.hoist.stale_globals import StaleGlobal, stale_global_changes, stale_globals
from tfmigrate.hoist.state import Found, State, found_state, makes_state
from tfmigrate.hoist.supercall import EarlyState, early_state, super_changes
from tfmigrate.hoist.transplant import transplant
from tfmigrate.hoist.uncompiled import uncompiled
from tfmigrate.hoist.updates import PlainUpdate, plain_update, update_changes
from tfmigrate.project.index import ClassFacts, FunctionFacts, Kind, ModuleFacts, ProjectIndex
from tfmigrate.unit import Unit

CODES = {
    State.LAYER: "TFM101",
    State.STATELESS: "TFM102",
    State.VARIABLE: "TFM103",
    State.WEIGHT: "TFM103",
    State.KEPT_LAYER: "TFM104",
    State.FACTORY: "TFM101",
    State.OTHER: "TFM105",
}
WHAT = {
    State.LAYER: What.LAYER,
    State.STATELESS: What.LAYER,
    State.KEPT_LAYER: What.LAYER,
    State.VARIABLE: What.VARIABLE,
    State.WEIGHT: What.WEIGHT,
    State.FACTORY: What.FACTORY,
}

codemod = Codemod(
    __name__,
    summary="move layers and variables made in call to __init__ or build",
    codes={
        "TFM101": "layer-in-call",
        "TFM102": "stateless-layer-in-call",
        "TFM103": "variable-in-call",
        "TFM104": "lazy-layer-in-call",
        "TFM105": "state-in-call",
        "TFM106": "untracked-variable",
        "TFM107": "tf-function-on-call",
        "TFM108": "layer-before-super",
        "TFM109": "build-without-super",
    },
    refusals={reason: why for reason, (why, _) in REASONS.items()},
    safety=Safety.SAFE,
    marker=(b"call", b"function", b"_step", b"map", b"update", b"Variable"),
    off_by_default=frozenset({"TFM102", "TFM109"}),
    order=10,
    claim=Claim(
        first_call_only=True,
        may_track_more=True,
        may_fix_graph=True,
        may_fix_eager=True,
        constant_weight_count=True,
        trains_and_saves=True,
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


@codemod.candidates
def candidates(index: ProjectIndex, path: str) -> bool:
    """A traced function of the file calls something that is spelled like a class, or adds a weight."""
    module = index.module_at(path)
    if module is None:
        return False
    if any(_asks_for_a_look(index, facts) for facts in module.classes.values()):
        return True
    for qualname in index.traced(path):
        function = module.functions.get(qualname)
        if function is not None and may_be_disguised(index, module, function):
            return True
        if function is not None and _reads_what_is_bound_again(module, function):
            return True
        for call in function.calls if function else ():
            if call.callee.endswith(("add_weight", "add_variable", ".variable")):
                return True
            if not tables.is_class_name(call.callee) and ".Generator." not in call.callee:
                continue
            name = index.resolve(module.name, call.callee, qualname)
            if name and makes_state(index, name):
                return True
    return False


def _reads_what_is_bound_again(module: ModuleFacts, function: FunctionFacts) -> bool:
    """A decorated function of the module that calls what the module may bind more than once, or a function for it."""
    if not function.decorators or "." in function.qualname:
        return False
    heads = {call.callee.partition(".")[0] for call in function.calls} - function.record.hidden
    bindings = module.record.bindings
    return any(
        head in module.record.hidden or any(where for _, _, where in bindings.get(head, ())) for head in heads
    )


def _asks_for_a_look(index: ProjectIndex, facts: ClassFacts) -> bool:
    """Whether a class itself, and not what its traced code makes, may be a finding."""
    if index.kind(facts.qualified) not in (Kind.LAYER, Kind.MODEL):
        return False
    call, init, build = (facts.methods.get(name) for name in ("call", "__init__", "build"))
    made = (one for method in (init, build) if method is not None for one in method.calls)
    return (
        any(one.callee.endswith("Variable") for one in made)
        or (call is not None and bool(call.decorators))
        or (build is not None and all(one.callee != "super().build" for one in build.calls))
        or (init is not None and _calls_super_late(init))
    )


def _calls_super_late(init: FunctionFacts) -> bool:
    return any(one.callee == "super().__init__" and one.line > init.line + 1 for one in init.calls)


@codemod.plan
def plan(unit: Unit) -> Iterator[Edit | Refusal]:
    """One class after the other; what stands outside of classes on its own."""
    groups: dict[str, list[Found]] = {}
    functions = [(symbol, unit.functions[symbol]) for symbol in unit.traced if symbol in unit.functions]
    for symbol, function in sorted(functions, key=lambda pair: (pair[1].lineno, pair[1].col_offset)):
        owner = unit.names.enclosing_class(function)
        name = (
            unit.names.qualname(owner)
            if owner is not None
            else owner_of_helper(unit, symbol) or f"{symbol}()"
        )
        groups.setdefault(name, []).extend(found_state(unit, symbol, function))
        for other in unit.redefined.get(symbol, ()):
            twice = Blocked("defined-twice", symbol)
            groups[name].extend(replace(one, blocked=twice) for one in found_state(unit, symbol, other))
    owners = {name: Owner(unit, name) for name in unit.classes}
    for one in owners.values():
        yield from _of_the_class(unit, one)
    for stale in stale_globals(unit):
        if unit.is_wanted("TFM105", stale.statements[0]):
            yield _stale_global(unit, stale)
    given: dict[str, set[str]] = {}
    kept = [one for one in kept_models(unit) if unit.is_wanted("TFM105", one.makes)]
    for model in kept:
        yield _kept_model(unit, model, given.setdefault("", set()))
    moving = covered(unit, kept)
    for name, found in groups.items():
        left = (one for one in found if id(one.call) not in moving and not is_lifted(unit, one.call))
        wanted = sorted((one for one in left if unit.is_wanted(CODES[one.kind], one.call)), key=_place)
        if wanted:
            yield from _planned(unit, None if name.endswith("()") else owners[name], wanted, given)


def _of_the_class(unit: Unit, owner: Owner) -> Iterator[Edit | Refusal]:
    """What is found in a class as such: in its ``__init__``, its ``build``, and how its ``call`` is decorated."""
    early = early_state(unit, owner)
    if early is None or not unit.is_wanted("TFM108", early.made):
        yield from _attributes(unit, owner, moves_up=False)
    else:
        done = super_changes(unit, owner, early)
        yield _early_state(unit, owner, early, done)
        yield from _attributes(unit, owner, moves_up=not isinstance(done, Blocked))
    yield from _compiled_call(unit, owner)
    yield from _silent_build(unit, owner)


def _told(site: Site, done: Sequence[AnyChange] | Blocked, said: str) -> Edit | Refusal:
    """The edit, with what was done behind the message; or why the place stays."""
    if isinstance(done, Blocked):
        return refusal(site, done, REASONS)
    return Edit(tuple(done), (replace(site, message=f"{site.message}: {said}"),))


def _kept_model(unit: Unit, kept: KeptModel, given: set[str]) -> Edit:
    """A functional model that a function builds anew in each call."""
    name, changes = kept_model_changes(unit, kept, given)
    what = f"`{ast.unparse(kept.makes.func)}` builds a model in `{kept.symbol}`, which runs inside a graph"
    said = f"built once, outside of the graph, by `{name}`" + (" for each shape" if kept.arguments else "")
    return Edit(
        tuple(changes), (unit.site(kept.makes, "TFM105", f"{what}: {said}", kept.symbol, kept.symbol),)
    )


def _stale_global(unit: Unit, stale: StaleGlobal) -> Edit | Refusal:
    """A compiled function that goes on with the first model, while a loop makes another for each turn."""
    name = stale.function.name
    names = " and ".join(f"`{one}`" for one in stale.names)
    scope = unit.names.enclosing_function(stale.statements[0])
    symbol = unit.names.qualname(scope) if scope is not None else ""
    what = f"the loop binds {names} anew, and `{name}` is compiled for what was bound at its first call"
    site = unit.site(stale.statements[0], "TFM105", what, symbol, symbol)
    return _told(site, stale.blocked or stale_global_changes(unit, stale), "compiled anew for each")


def _early_state(
    unit: Unit, owner: Owner, early: EarlyState, done: Sequence[AnyChange] | Blocked
) -> Edit | Refusal:
    """State that is made before ``super().__init__()``."""
    kept = f"is kept as `self.{early.attribute}`" if early.attribute else "is called"
    shown = ast.unparse(early.made.func if isinstance(early.made, ast.Call) else early.made)
    what = f"`{shown}` {kept} before `super().__init__()`, which Keras {'2' if early.attribute else '2 and 3'} refuses"
    site = unit.site(early.made, "TFM108", what, f"{owner.name}.__init__", owner.name)
    return _told(site, done, "the call moves up")


def _silent_build(unit: Unit, owner: Owner) -> Iterator[Edit | Refusal]:
    """A ``build`` after which Keras 2 does not know that the layer is built."""
    if owner.build is None or unit.target is Target.KERAS3 or not unit.is_wanted("TFM109", owner.build):
        return
    build = silent_build(owner)
    if build is None:
        return
    what = f"`{owner.name}.build` does not note that it has run; built by hand, Keras 2 builds it again in its first call"
    done = built_changes(unit, owner, build)
    site = replace(
        unit.site(build, "TFM109", what, f"{owner.name}.build", owner.name),
        end_line=build.lineno,
        end_column=unit.column(build.lineno, build.col_offset) + len(f"def {build.name}"),
    )
    if isinstance(done, Blocked):
        yield refusal(site, done, REASONS)
    else:
        yield _told(site, done[1], f"`{done[0]}` added")


def _attributes(unit: Unit, owner: Owner, moves_up: bool) -> Iterator[Edit | Refusal]:
    """Variables that are made in the right place and that Keras 3 does not track all the same.

    ``moves_up``: a call of ``super().__init__()`` that comes too late is moved. Where it stays, a variable before it
    cannot become a weight.
    """
    name = owner.name
    for method, call in kept_variables(unit, owner):
        if not unit.is_wanted("TFM106", call):
            continue
        what = f"`{ast.unparse(call.func)}` is kept by `{name}`, which Keras 3 does not track"
        site = unit.site(call, "TFM106", what, f"{name}.{method.name}", name)
        done = weight_in_place(unit, owner, method, call, moves_up)
        if isinstance(done, Blocked):
            yield refusal(site, done, REASONS)
        else:
            yield _told(site, (done[1],), f"made a weight, `self.{done[0]}`")


def _compiled_call(unit: Unit, owner: Owner) -> Iterator[Edit | Refusal]:
    """``@tf.function`` on ``call``, which freezes the weights of layers that are first built in its trace."""
    call = compiled_call(unit, owner) if unit.target is not Target.KERAS2 else None
    if call is None or not unit.is_wanted("TFM107", call):
        return
    name = owner.name
    what = f"`{name}.call` is a tf.function whose layers nothing builds before its first trace"
    site = unit.site(call, "TFM107", what, f"{name}.call", name)
    done: Sequence[AnyChange] | Blocked = build_changes(unit, owner, call)
    said = "they are built in `build`"
    if isinstance(done, Blocked) and done.reason == "build-not-derivable":
        without = uncompiled(unit, call, library_layers(unit, owner))
        if without is not None:
            done, said = without, "the decorator goes, for `fit` and `predict` compile the model anyway"
    yield _told(site, done, said)


_CAN_BE_PASSED = frozenset({"in-nested-function", "helper-called-more-than-once", "outside-class"})
_ONLY_IN_CALL = frozenset(
    {"depends-on-call-argument", "depends-on-local", "argument-calls-code", "depends-on-tensor"}
)
Decided = tuple[Move, ...] | Scratch | GlobalMove | Operation | PlainUpdate | Unwrapped


def _place(found: Found) -> tuple[int, int]:
    return found.call.lineno, found.call.col_offset


def _planned(
    unit: Unit, owner: Owner | None, found: list[Found], given: dict[str, set[str]]
) -> Iterator[Edit | Refusal]:
    """All of ``found`` in one edit, or, if one of them has to stay, all of them as they are."""
    decided = [(one, _decided(unit, owner, one)) for one in found]
    staying = [(one, what) for one, what in decided if isinstance(what, Blocked)]
    going = [(one, what) for one, what in decided if not isinstance(what, Blocked)]
    blocks = any(one.kind is not State.STATELESS for one, _ in staying)
    if blocks:
        staying.extend((one, Blocked("class-stays-whole")) for one, _ in going)
    elif going:
        yield from _edit_or_refusals(unit, owner, going, given)
    yield from (_refusal(unit, owner, one, blocked) for one, blocked in staying)


def _decided(unit: Unit, owner: Owner | None, found: Found) -> Decided | Blocked:
    if found.symbol in unit.redefined:
        return Blocked("defined-twice", found.symbol)
    function = unit.functions[found.symbol]
    if found.blocked is not None:
        return plain_update(unit, function, found.call) or _lasting(unit, owner, found) or found.blocked
    if found.kind is State.VARIABLE and found.name and is_assigned(function, found.name):
        return scratch_of(unit, function, found.call, found.name)
    is_layer = found.kind in (State.LAYER, State.STATELESS)
    around = lambda_layer(unit, function) if is_layer else None
    if around is not None:
        return _out_of_lambda(unit, owner, found, around)
    if owner is None:
        return global_move(unit, found.symbol, found.call) if is_layer else Blocked("outside-class")
    blocked = owner.blocked()
    if blocked is not None:
        return blocked
    move: Move | tuple[Move, ...] | Blocked = planned_move(
        unit, owner, found.symbol, found.call, WHAT[found.kind]
    )
    if isinstance(move, Blocked) and is_layer and move.reason in _CAN_BE_PASSED:
        move = passed_moves(unit, owner, found.symbol, found.call)
    if isinstance(move, Blocked) and move.reason in _ONLY_IN_CALL:
        return dropout_operation(unit, function, found.call) or move
    return (move,) if isinstance(move, Move) else move


def _out_of_lambda(unit: Unit, owner: Owner | None, found: Found, around: ast.Call) -> Decided | Blocked:
    """The layer that the function of the ``Lambda`` layer ``around`` makes, in its place."""
    plain = unwrapped(unit.functions[found.symbol], around, found.call)
    if isinstance(plain, Blocked):
        return plain
    scope = unit.names.enclosing_function(around)
    symbol = unit.names.qualname(scope) if scope is not None else ""
    if symbol not in unit.traced:
        return settled(unit, owner, plain)
    if owner is None:
        return Blocked("lambda-owns-weights", ast.unparse(around))
    move = owner.blocked() or planned_move(unit, owner, symbol, around, made=found.call)
    return (move,) if isinstance(move, Move) else move


def _lasting(unit: Unit, owner: Owner | None, found: Found) -> Decided | Blocked | None:
    """How a metric or an optimizer is kept; None for other objects."""
    metric = is_metric(unit, found.call)
    if found.kind is not State.OTHER or not (metric or is_optimizer(unit, found.call)):
        return None
    if owner is None:
        return global_move(unit, found.symbol, found.call, is_layer=False)
    what = What.METRIC if metric else What.OPTIMIZER
    move = owner.blocked() or planned_move(unit, owner, found.symbol, found.call, what)
    return (move,) if isinstance(move, Move) else move


def _risk(decided: Decided) -> str:
    """What else changes, as the end of a sentence."""
    kept = [decided] if isinstance(decided, GlobalMove) else decided if isinstance(decided, tuple) else []
    return next((one.lasting.risk for one in kept if one.lasting is not None), "")


def _edit_or_refusals(
    unit: Unit,
    owner: Owner | None,
    going: list[tuple[Found, Decided]],
    given: dict[str, set[str]],
) -> Iterator[Edit | Refusal]:
    moves = [move for _, what in going if isinstance(what, tuple) for move in what]
    changes: list[AnyChange] = []
    moved: dict[int, list[Moved]] = {}
    globals_made = [what for _, what in going if isinstance(what, GlobalMove)]
    names, added = global_changes(unit, globals_made, given.setdefault("", set()))
    changes.extend(added)
    messages = {id(move.call): f"made a global, `{name}`" for move, name in names}
    if moves and owner is not None:
        done = transplant(unit, owner, moves, given)
        if isinstance(done, Blocked):
            yield from (_refusal(unit, owner, one, done) for one, _ in going)
            return
        changes.extend(done[1])
        for one in done[0]:
            moved.setdefault(id(one.move.makes), []).append(one)
    for _, what in going:
        if isinstance(what, Scratch):
            changes.extend(scratch_changes(unit, what))
            messages[id(what.call)] = "scratch space, made a tensor"
        elif isinstance(what, Operation):
            changes.append(operation_change(unit, what))
            messages[id(what.made)] = "its rate is known in the call alone, made an operation"
        elif isinstance(what, PlainUpdate):
            changes.extend(update_changes(unit, what))
            messages[id(what.made)] = "it keeps nothing from one call to the next, its update is written out"
        elif isinstance(what, Unwrapped):
            changes.append(unwrapped_change(unit, what))
            messages[id(what.made)] = "takes the place of the `Lambda` layer that made it in each call"
    messages |= {call: _moved_message(all_of_it) for call, all_of_it in moved.items()}
    risks = {id(one.call): risk for one, what in going if (risk := _risk(what))}
    for call, risk in risks.items():
        messages[call] += f"; it {risk}, which changes behaviour"
    if risks and not unit.unsafe:
        others = (one for one, _ in going if id(one.call) not in risks)
        yield from (_refusal(unit, owner, one, Blocked("class-stays-whole")) for one in others)
    shown = [one for one, _ in going if unit.unsafe or not risks or id(one.call) in risks]
    sites = [_site(unit, owner, one, f"{_what(one)}: {messages[id(one.call)]}") for one in shown]
    yield Edit(tuple(changes), tuple(sites), Safety.UNSAFE if risks else Safety.SAFE)


def _site(unit: Unit, owner: Owner | None, found: Found, message: str) -> Site:
    proof = owner.name if owner is not None else found.symbol.split(".<locals>")[0]
    return unit.site(found.call, CODES[found.kind], message, found.symbol, proof)


def _what(found: Found) -> str:
    return f"`{ast.unparse(found.call.func)}` is made in `{found.symbol}`, which runs inside a graph"


def _refusal(unit: Unit, owner: Owner | None, found: Found, blocked: Blocked) -> Refusal:
    return refusal(_site(unit, owner, found, _what(found)), blocked, REASONS)


def _moved_message(moved: list[Moved]) -> str:
    context = moved[0].move.context
    names = " and ".join(f"`self.{one.attribute}`" for one in moved)
    where = f"moved to {names}" + (", a list" if context.loops else "")
    if moved[0].move.passed is not None:
        return where + f", handed to `{moved[0].move.passed.name}` by each call"
    where += "" if moved[0].move.place is Place.INIT else ", made in `build`"
    dropped = is_made_anyway(context, moved[0].move.guards)
    return where + (" (made whether or not its branch is taken)" if dropped else "")
