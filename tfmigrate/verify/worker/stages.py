"""One call, or one step of gradient descent, of a subject: directly, in a ``tf.function``, or compiled by
XLA."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from typing import Any

import tensorflow as tf
from tensorflow.python.autograph.core import ag_ctx, converter
from tensorflow.python.autograph.impl import api

from tfmigrate.verify.model import Mode
from tfmigrate.verify.observe import Stage
from tfmigrate.verify.worker import record, streams
from tfmigrate.verify.worker.identity import is_layer
from tfmigrate.verify.worker.pins import Pins
from tfmigrate.verify.worker.replicas import of_all_replicas, spread_over
from tfmigrate.verify.worker.subject import Invocation

RATE = 0.05
"""Step size of the gradient descent."""


@dataclasses.dataclass(slots=True)
class Spec:
    """How the flat list of tensors that a body returns is to be read."""

    structure: Any
    outputs: int
    losses: int
    gradients: dict[str, bool]
    """Key -> whether its gradient is among the tensors."""


class Runner:
    """Runs stages of one subject in one mode."""

    def __init__(self, target: Callable[..., Any], pins: Pins, mode: Mode, strategy: Any = None) -> None:
        self._target = target
        self._pins = pins
        self._mode = mode
        self._strategy = strategy
        self._spec: Spec | None = None
        self._specs: dict[str, Spec] = {}
        self._graph: Any = None
        self.trace_s = 0.0
        """Seconds that tracing calls took."""
        self._call = self._compiled(self._watched)
        self._step = self._compiled(self._descend)

    def _compiled(self, body: Callable[..., Any]) -> Any:
        spread = body if self._strategy is None else spread_over(self._strategy, body)
        if self._mode is Mode.EAGER:
            return spread
        function = tf.function(spread, autograph=False, jit_compile=True if self._mode is Mode.XLA else None)
        function._tfmigrate_own = True
        return function

    def traces(self) -> int:
        """How often the subject was traced for calls; 0 in eager mode."""
        return 0 if self._mode is Mode.EAGER else self._call.experimental_get_tracing_count()

    def nodes(self) -> int:
        """Operations in the graph that was traced last for a call, those of its functions included; 0 in eager mode."""
        if self._graph is None:
            return 0
        graph = self._graph.as_graph_def()
        return len(graph.node) + sum(len(function.node_def) for function in graph.library.function)

    def again(self, call: Invocation, step: bool) -> None:
        """Run ``call`` for the time that it takes: what comes of it is not looked at."""
        for tensor in (self._step if step else self._call)(call.args, call.kwargs):
            if tensor is not None:
                tensor.numpy()  # A GPU is still at work when the call returns.

    def run(self, stage: Stage, call: Invocation, step: bool) -> Stage:
        """Run ``call``; raises what the code raises."""
        key = f"{step} {signature((call.args, call.kwargs))}"
        self._spec = None
        try:
            tensors = (self._step if step else self._call)(call.args, call.kwargs)
        finally:
            if self._spec is not None:  # A trace whose run fails is there the next time.
                self._specs[key] = self._spec
        spec = self._specs[key]
        if self._strategy is not None:
            tensors = [of_all_replicas(self._strategy, tensor) for tensor in tensors]
        leaves = [record.leaf(tensor) for tensor in tensors]
        there = iter(leaves[spec.outputs + spec.losses :])
        return dataclasses.replace(
            stage,
            structure=spec.structure,
            leaves=tuple(leaves[: spec.outputs]),
            losses=tuple(leaves[spec.outputs : spec.outputs + spec.losses]),
            gradients={key: next(there) if given else None for key, given in spec.gradients.items()},
        )

    def _invoke(self, args: Any, kwargs: Any) -> Any:
        """As ``lambda: target(...)`` in a tf.function would: AutoGraph converts what it converts there, no
        more."""
        if self._mode is Mode.EAGER:
            return self._target(*args, **kwargs)
        return converted(self._target, args, kwargs)

    def _watched(self, args: Any, kwargs: Any) -> list[Any]:
        """A call, of which it is noted what tracing it takes."""
        if self._mode is Mode.EAGER:
            return self._forward(args, kwargs)
        started = time.monotonic()
        tensors = self._forward(args, kwargs)
        self.trace_s += time.monotonic() - started
        self._graph = tf.compat.v1.get_default_graph()
        return tensors

    def _forward(self, args: Any, kwargs: Any) -> list[Any]:
        with self._pins.trace():
            output = self._invoke(args, kwargs)
            tensors: list[Any] = []
            structure = record.take_apart(output, tensors)
            losses = self._losses()
        self._spec = Spec(structure, len(tensors), len(losses), {})
        return tensors + losses

    def _losses(self) -> list[Any]:
        if not is_layer(self._target):
            return []
        return [tf.convert_to_tensor(loss) for loss in getattr(self._target, "losses", ())]

    def _descend(self, args: Any, kwargs: Any) -> list[Any]:
        args, kwargs = _apart((args, kwargs))
        inputs = [value for value in tf.nest.flatten((args, kwargs)) if _is_float_tensor(value)]
        with tf.GradientTape() as tape:
            tape.watch(inputs)
            tensors = self._forward(args, kwargs)
            spec = self._spec
            assert spec is not None
            objective = self._objective(tensors[: spec.outputs])
        variables = self._variables(tape)
        sources = {f"input {number}": value for number, value in enumerate(inputs)} | variables
        if objective is None:
            return tensors
        gradients = tape.gradient(objective, sources)
        for key, variable in variables.items():
            if gradients[key] is not None:
                variable.assign_sub(tf.cast(RATE * tf.convert_to_tensor(gradients[key]), variable.dtype))
                self._pins.keep(variable)
        spec.gradients = {key: gradients[key] is not None for key in sources}
        return tensors + [tf.convert_to_tensor(value) for value in gradients.values() if value is not None]

    def _variables(self, tape: tf.GradientTape) -> dict[str, Any]:
        """Key -> variable: what the tape saw, and what the subject calls trainable but did not use."""
        names = {id(slot.raw()): slot.key for slot in self._pins.slots if slot.raw() is not None}
        found = list(tape.watched_variables())
        if hasattr(self._target, "trainable_variables"):
            found += [getattr(variable, "_value", variable) for variable in self._target.trainable_variables]
        keyed: dict[str, Any] = {}
        for number, variable in enumerate(variable for variable in found if variable.dtype.is_floating):
            keyed.setdefault(names.get(id(variable)) or f"variable {number} {list(variable.shape)}", variable)
        return dict(sorted(keyed.items()))

    def _objective(self, tensors: list[Any]) -> Any:
        """A sum of the float outputs with fixed weights of both signs, so that errors do not cancel."""
        total = None
        for number, tensor in enumerate(tensors):
            if not (tensor.dtype.is_floating or tensor.dtype.is_complex):
                continue
            real = tf.math.real(tensor)
            kind = real.dtype if real.dtype in (tf.float32, tf.float64) else tf.float32
            factors = streams.factors(self._pins.seed, f"objective {number}", tf.shape(real))
            term = tf.reduce_sum(tf.cast(real, kind) * tf.cast(factors, kind))
            total = term if total is None else total + tf.cast(term, total.dtype)
        return total


def converted(target: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Call ``target`` while a graph is made, as code that AutoGraph has converted would."""
    options = converter.ConversionOptions(recursive=True, user_requested=False, optional_features=())
    with ag_ctx.ControlStatusCtx(status=ag_ctx.Status.ENABLED, options=options):
        return api.converted_call(target, args, kwargs, options=options)


def _is_float_tensor(value: Any) -> bool:
    return isinstance(value, tf.Tensor) and value.dtype.is_floating


def _apart(structure: Any) -> Any:
    """A tensor that is given twice is two inputs with a gradient each, as it is in a tf.function."""
    seen: set[int] = set()

    def once(value: Any) -> Any:
        if not _is_float_tensor(value):
            return value
        if id(value) in seen:
            return tf.identity(value)
        seen.add(id(value))
        return value

    return tf.nest.map_structure(once, structure)


def signature(structure: Any) -> str:
    """What decides about a new trace: shapes and types of tensors, values of all else."""

    def describe(value: Any) -> str:
        return f"{value.dtype.name}{value.shape}" if tf.is_tensor(value) else repr(value)

    flat = tf.nest.flatten(structure, expand_composites=True)
    return f"{[describe(value) for value in flat]}"
