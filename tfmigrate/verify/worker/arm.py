"""Run one version of one case in one mode, and note what it does. The entry that a zygote's children run."""

from __future__ import annotations

import contextlib
import dataclasses
import inspect
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

from tfmigrate.verify.compare import is_state_error
from tfmigrate.verify.model import ArmJob, Mode, Precision, Version
from tfmigrate.verify.observe import (
    Array,
    Costs,
    Leaf,
    Observation,
    Property,
    PropertyStatus,
    Stage,
    VariableFact,
)
from tfmigrate.verify.worker import (
    drawing,
    fitting,
    patches,
    properties,
    record,
    subject,
    surroundings,
)
from tfmigrate.verify.worker.exporting import Exporter
from tfmigrate.verify.worker.identity import held_layers, is_layer
from tfmigrate.verify.worker.lines import Lines
from tfmigrate.verify.worker.pins import ACTIVE, Pins, Slot
from tfmigrate.verify.worker.reached import unreached
from tfmigrate.verify.worker.stages import Runner
from tfmigrate.verify.worker.streams import Streams
from tfmigrate.verify.worker.subject import Invocation
from tfmigrate.verify.worker.traces import own_traces
from tfmigrate.verify.worker.training import Examined

patches.install()
drawing.install()

OTHER = "call with other weights"
_AS_WRITTEN = frozenset({"call 1", "step 1", OTHER})
_SLOW_S = 5.0
"""Seconds of an arm after which nothing is run for its time alone."""
_NOTABLE_S = 0.005
"""Seconds of a run that need not be measured twice."""
_LONG_S = 20.0
"""Seconds of calls after which properties are not checked: the arm's time could be over."""
_UNSEEN = ("seed_generator_state", "StateVar")
"""Generators' own state: draws are pinned, so it does not count."""


def run_arm(job: ArmJob) -> Observation:
    """Carry out ``job`` in this process, which must be a fresh one.

    Raises:
        CannotBuild, SubjectImportError: the case gives no subject.
        Exception: what the user's constructor raises, and running out of memory.
    """
    started = time.monotonic()
    strategy = surroundings.enter(job)
    subject.install_tree(job.tree)
    if job.lift_lock:
        _lift_lock()
    eager = job.mode is Mode.EAGER
    lines = Lines(job.changed_lines if eager else {})
    with lines, tf.variable_creator_scope(patches.variable_creator):
        arm = Arm(job, strategy)
        if not arm.skipped:
            arm.run(
                [step for step in arm.plan() if not job.as_written or _is_as_written(step[0], job.stream)]
            )
        if job.mode is Mode.FIT and not arm.skipped:
            arm.warm_up()
    facts = arm.facts()  # before more variables are made
    functions_called = arm.pins.functions_called  # before Keras's own are
    streams = arm.pins.streams
    found: tuple[Property, ...] = ()
    weight_paths: dict[str, str] = {}
    if job.trains_and_saves and not arm.skipped:
        found, weight_paths = arm.examine(time.monotonic() - started)
    trained, untrained = arm.fitted() if (job.fits or job.mode is Mode.FIT) and not arm.skipped else ([], "")
    if job.mode is Mode.FIT:
        arm.stages, trained = trained, []
    return Observation(
        version=job.version,
        mode=job.mode,
        keras=job.keras,
        device=job.device,
        seed=job.seed,
        stages=tuple(arm.stages),
        variables=facts,
        stateful=arm.stateful,
        paths=frozenset(arm.pins.identities.paths),
        traces=tuple(arm.traces),
        lines_run={path: frozenset(ran) for path, ran in lines.ran.items()},
        lines_asked=dict(job.changed_lines) if eager else {},
        late=dict(arm.pins.late),
        functions_called=functions_called,
        own_traces=own_traces(arm.pins.functions.values(), job.tree.roots) if job.stream else {},
        properties=found,
        weight_paths=weight_paths,
        places=frozenset(streams.places if streams else ()),
        frozen=frozenset(streams.frozen if streams else ()),
        unpinned=frozenset(streams.unpinned if streams else ()),
        scratch=arm.scratch(facts),
        costs=arm.costs(time.monotonic() - started),
        fit=tuple(trained),
        precision=tf.keras.mixed_precision.global_policy().name,  # The code may have set one itself.
        skipped=arm.skipped or untrained,
        seconds=time.monotonic() - started,
    )


def _is_as_written(name: str, stream: bool) -> bool:
    return name in _AS_WRITTEN or (stream and name.startswith("call "))


def _lift_lock() -> None:
    """Let built Keras 3 layers take new state, in this process only."""
    from keras.src.layers.layer import Layer

    Layer._lock_state = lambda self: None


Step = tuple[str, Invocation, bool]
"""Name of the stage, its call, and whether it takes a step of gradient descent (training)."""


class Arm:
    """One subject, built and run under pins of its own."""

    def __init__(self, job: ArmJob, strategy: Any = None) -> None:
        self.job = job
        self._strategy = strategy
        self._eagerly = job.mode is Mode.EAGER and not job.as_written
        self.pins = Pins(job.seed, job.known_paths, job.learned)
        self.stages: list[Stage] = []
        self.traces: list[int] = []
        self._number = 0
        self._order: dict[str, int] = {}
        """Stages' numbers, which some modes leave out some of: their draws depend on them."""
        self._uncompiled: set[str] = set()
        """Calls that are not stages here, and run without XLA for the state that they leave behind."""
        self._values: dict[str, Leaf] = {}
        self._printed = _Printed()
        self.pins.print_file = self._printed.own
        self.pins.identities.across = job.across
        self.pins.scratch = job.scratch
        self._assigned: set[str] = set()
        self.pins.streams = Streams(job.seed, job.numbers) if job.numbers else None
        ACTIVE.set(self.pins)
        tf.config.run_functions_eagerly(self._eagerly)
        with self.pins.invocation(0), self._scope():
            made = subject.materialise(job.case, job.tree)
        if not tf.executing_eagerly():
            raise subject.CannotBuild(
                "the code switches eager execution off (tf.compat.v1.disable_eager_execution): there is no eager run of it"
            )
        self.target = made.target
        self.owner = getattr(made.target, "__self__", made.target)
        self.stateful = is_layer(self.owner) or isinstance(self.owner, tf.Module)
        self.pins.name_subject(made.target)
        self._invocations = [_with_tensors(call) for call in made.invocations]
        self._leave_out_unreached()
        self._runner = self._made_runner()
        self.skipped = ""
        """Why nothing is run."""
        if job.precision is not Precision.FLOAT32 and not is_layer(self.owner):
            self.skipped = "it is not a Keras layer or model: the dtype policy says nothing to it"

    def _made_runner(self) -> Runner | Exporter:
        if self.job.mode is not Mode.EXPORT:
            return Runner(self.target, self.pins, self.job.mode, self._strategy)
        fresh = self.job.fresh_each_call
        return Exporter(self.target, self.pins, self._invocations, fresh_each_call=fresh)

    def _leave_out_unreached(self) -> None:
        """Variables that importing the module made for its other functions do not count."""
        given = (value for call in self._invocations for value in tf.nest.flatten((call.args, call.kwargs)))
        things = (self.target, self.owner, *(value for value in given if is_layer(value)))
        foreign: set[int] = set()
        with contextlib.suppress(Exception):  # attributes of user code may raise anything
            foreign = unreached(things, self.job.tree.roots)
        for slot in self.pins.slots:
            if id(slot.raw()) in foreign:
                slot.is_scratch = True

    def plan(self) -> list[Step]:
        """The stages: the calls, of which the last repeats the first, two steps (three where draws are pinned), and the
        first call with other weights.

        The last shows whether the outputs follow the weights: a trace can hold their first values as
        constants."""
        calls = list(self._invocations)
        first = calls[0]
        if len(calls) < 2 or calls[-1] is not first:
            calls.append(first)
        other = next((call for call in calls if _shapes(call) != _shapes(first)), calls[1])
        steps: list[Step] = [(f"call {number}", call, False) for number, call in enumerate(calls, 1)]
        taken = [first, first, other] if self.job.numbers else [first, other]  # Does a step draw again?
        steps += [(f"step {number}", self._training(call), True) for number, call in enumerate(taken, 1)]
        steps.append((OTHER, first, False))
        self._order = {name: number for number, (name, _, _) in enumerate(steps, 1)}
        if self.job.mode is Mode.FIT:
            return []
        if self.job.mode is Mode.EXPORT or self._strategy is not None:
            return [step for step in steps if not step[2] and step[0] != OTHER]
        if (
            self.job.mode is Mode.XLA
        ):  # compiling is slow, and another batch size is the graph mode's business
            kept = ("step 1", "step 2") if self.job.numbers else ("step 1",)
            alike = {name for name, call, _ in steps if _shapes(call) == _shapes(first)} | set(kept)
            self._uncompiled = {name for name, _, step in steps if name not in alike and not step}
            steps = [step for step in steps if step[0] in alike | self._uncompiled]
        return steps

    def _training(self, call: Invocation) -> Invocation:
        if not (is_layer(self.target) or "training" in _parameters(self.target)):
            return call
        return Invocation(call.args, {**call.kwargs, "training": True})

    def run(self, plan: list[Step]) -> None:
        """Run the stages; after two failures of one kind the rest of that kind is left out, and everything when a
        graph cannot be traced because state is made in it."""
        failures = {True: 0, False: 0}
        for name, call, step in plan:
            if name in self._uncompiled:
                self._pass_by(name, call)
            elif failures[step] < 2 and not (name == OTHER and failures[False]):
                self._stage(name, call, step)
                failure = self.stages[-1].failure
                failures[step] += failure is not None
                if failure and self.job.mode is not Mode.EAGER and is_state_error(failure.message):
                    return

    def _pass_by(self, name: str, call: Invocation) -> None:
        """Make a call that is no stage of this mode: a counter has to go on as in the others."""
        if self.job.fresh_each_call:
            return  # What one call leaves behind is set back before the next.
        self._number += 1
        with (
            self.pins.invocation(self._number, self._order[name]),
            self.pins.trace(),
            contextlib.suppress(Exception),  # Other modes have it as a stage, and say how it fails.
        ):
            self.target(*call.args, **call.kwargs)

    def _stage(self, name: str, call: Invocation, step: bool) -> None:
        if name == OTHER:
            self.pins.variant = 1
        if (self.job.fresh_each_call and self._number) or name == OTHER:
            self.pins.restore()
        self._number += 1
        tf.config.run_functions_eagerly(self._eagerly)  # The user's code may have set it.
        made = len(self.pins.slots)
        self._printed.start()
        stage = Stage(name, step)
        with self.pins.invocation(self._number, self._order[name]):
            try:
                stage = self._runner.run(stage, call, step)
            except (Exception, SystemExit) as error:  # whatever the user's code raises is an observation
                if record.is_out_of_memory(error):
                    raise MemoryError(str(error)) from error
                stage = dataclasses.replace(stage, failure=record.failure(error))
            created = [slot for slot in self.pins.slots[made:] if slot.variable is not None]
            if not step:
                self._assigned.update(slot.key for slot in created if _is_assigned(self.pins, slot))
            # What was loaded has variables of its own.
            values = self._read_values() if self.job.mode is not Mode.EXPORT else {}
            self.stages.append(
                dataclasses.replace(stage, created=len(created), printed=self._printed.read(), values=values)
            )
        if not step:
            self.traces.append(self._runner.traces())

    def _read_values(self) -> dict[str, Leaf]:
        values = {}
        for slot, raw in self._living():
            try:
                leaf = record.leaf(raw.read_value())
            except Exception:  # made in a trace that failed: it has no value
                continue
            old = self._values.get(slot.key)
            if old is None or old.dtype != leaf.dtype or not _same(old.array, leaf.array):
                self._values[slot.key] = leaf
            values[slot.key] = self._values[slot.key]
        return values

    def _living(self) -> list[tuple[Slot, Any]]:
        found = ((slot, slot.raw()) for slot in self.pins.slots if not _is_unseen(slot))
        return [(slot, raw) for slot, raw in found if raw is not None]

    def examine(self, seconds: float) -> tuple[tuple[Property, ...], dict[str, str]]:
        """The version's own properties, unless its stages fail or took long (``seconds``)."""
        is_before = self.job.version is Version.BEFORE
        if all(stage.failure for stage in self.stages):
            return (), {}
        if not is_before and any(stage.failure for stage in self.stages):
            return (Property("fit", PropertyStatus.SKIPPED, "it raises in a call"),), {}
        if seconds > _LONG_S:
            return (Property("fit", PropertyStatus.SKIPPED, f"its calls took {seconds:.0f} s"),), {}
        subject = self._examined()
        return properties.original(subject) if is_before else properties.rewritten(subject)

    def _examined(self) -> Examined:
        call = self._invocations[0]
        return Examined(self.target, self.pins, call, self._training(call), self.stages)

    def _scope(self) -> contextlib.AbstractContextManager[Any]:
        """Variables that are made inside are the strategy's."""
        return contextlib.nullcontext() if self._strategy is None else self._strategy.scope()

    def warm_up(self) -> None:
        """Make a call that counts nowhere: layers are built then."""
        with self._scope(), self.pins.invocation(1), self.pins.trace(), contextlib.suppress(Exception):
            call = self._training(self._invocations[0])
            self.target(*call.args, **call.kwargs)

    def fitted(self) -> tuple[list[Stage], str]:
        """The stages of training, run eagerly in the eager arm; or why there are none."""
        eager = self.job.mode is Mode.EAGER
        if eager and any(stage.failure for stage in self.stages):
            return [], "it raises in a call"
        try:
            stages, why = fitting.fitted(
                self._examined(), self._read_values, eager=eager, strategy=self._strategy
            )
        except Exception as error:
            if record.is_out_of_memory(error):
                raise MemoryError(str(error)) from error
            return [Stage("fit 1", True, record.failure(error))], ""
        return list(stages), why

    def facts(self) -> tuple[VariableFact, ...]:
        """All variables that the subject has made, the last one of each name."""
        tracked = {id(variable) for variable in self.tracked()}
        facts = {}
        for slot in self.pins.slots:
            if not _is_unseen(slot) and slot.variable is not None:
                facts[slot.key] = VariableFact(
                    key=slot.key,
                    shape=tuple(slot.shape),
                    dtype=slot.dtype,
                    trainable=slot.is_trainable(),
                    tracked=id(slot.raw()) in tracked,
                    initial=slot.initial,
                    created=slot.created,
                )
        return tuple(facts[key] for key in sorted(facts))

    def scratch(self, facts: tuple[VariableFact, ...]) -> frozenset[str]:
        """Variables that a call made, assigned and kept nowhere."""
        lost = {fact.key for fact in facts if fact.created and not fact.tracked}
        return self.job.scratch or frozenset(lost & self._assigned)

    def costs(self, seconds: float) -> Costs:
        """What calls and steps take. Comes last: it goes on with the subject's state.

        ``seconds``: what the stages took; slow code is not run once more.
        """
        runner, call = self._runner, self._invocations[0]
        if isinstance(runner, Exporter) or self.job.mode is Mode.FIT or self._strategy is not None:
            return Costs()
        times: list[float | None] = [None, None]
        slow = seconds > _SLOW_S or self.job.as_written
        if not slow and not any(stage.failure for stage in self.stages):
            with self.pins.invocation(self._number + 1, 1), contextlib.suppress(Exception):
                times[0] = _fastest(lambda: runner.again(call, False))
                times[1] = _fastest(lambda: runner.again(self._training(call), True))
        return Costs(self.traces[-1] if self.traces else 0, runner.nodes(), runner.trace_s, *times)

    def tracked(self) -> list[Any]:
        """The tf.Variables that the subject itself knows of."""
        if not self.stateful:
            return []
        known = list(getattr(self.owner, "variables", ()))
        for _, layer in held_layers(self.owner) if not is_layer(self.owner) else ():
            known += layer.variables
        return [variable if isinstance(variable, tf.Variable) else variable._value for variable in known]


def _fastest(run: Callable[[], None]) -> float:
    """Seconds of the faster of two runs, or of one that is slow anyway."""
    seconds: list[float] = []
    while len(seconds) < 2 and not (seconds and seconds[0] > _NOTABLE_S):
        started = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - started)
    return min(seconds)


def _is_unseen(slot: Slot) -> bool:
    return slot.is_scratch or slot.name.startswith(_UNSEEN)


def _is_assigned(pins: Pins, slot: Slot) -> bool:
    """Whether a variable that code outside of layers just made has another value than it was made with."""
    raw = slot.raw()
    if slot.layer is not None or raw is None or not tf.executing_eagerly():
        return False
    try:
        start = pins.value_of(slot) if slot.moves else slot.start
        return start is not None and not np.array_equal(
            np.asarray(start, raw.dtype.as_numpy_dtype), raw.numpy()
        )
    except Exception:  # no value, or one whose start is not known
        return False


class _Printed:
    """What goes to the process's standard output (by Python or C), and what ``tf.print`` writes."""

    def __init__(self) -> None:
        self._files = [Path("../stdout").resolve(), Path("../printed").resolve()]
        self.own = str(self._files[1])
        self._starts = [0, 0]

    def start(self) -> None:
        """Forget what was printed so far."""
        _flush()
        self._starts = [file.stat().st_size if file.exists() else 0 for file in self._files]

    def read(self) -> str:
        """What was printed since :meth:`start`: at most the first 100,000 characters."""
        _flush()
        text = ""
        for path, start in zip(self._files, self._starts, strict=True):
            if path.exists():
                with path.open("rb") as file:
                    file.seek(start)
                    text += file.read(100_000).decode("utf-8", "replace")
        return text


def _flush() -> None:
    import sys

    sys.stdout.flush()


def _same(one: Array, other: Array) -> bool:
    return one.shape == other.shape and one.tobytes() == other.tobytes()


def _with_tensors(call: Invocation) -> Invocation:
    """NumPy arrays become tensors, as a tf.function would make them: otherwise only eager code sees arrays."""

    def convert(value: Any) -> Any:
        return tf.convert_to_tensor(value) if isinstance(value, np.ndarray) else value

    args, kwargs = tf.nest.map_structure(convert, (call.args, call.kwargs))
    return Invocation(args, kwargs)


def _shapes(call: Invocation) -> list[Any]:
    flat = tf.nest.flatten((call.args, call.kwargs), expand_composites=True)
    return [tuple(value.shape) if tf.is_tensor(value) else None for value in flat]


def _parameters(target: Callable[..., Any]) -> Mapping[str, Any]:
    try:
        return inspect.signature(target).parameters
    except (TypeError, ValueError):
        return {}
