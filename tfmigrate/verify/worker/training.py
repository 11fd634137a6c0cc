"""A subject as Keras trains it: a model with one input and one float output as it is, anything else inside a wrapper."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from tfmigrate.verify.observe import Stage
from tfmigrate.verify.worker import record
from tfmigrate.verify.worker import values as numbers
from tfmigrate.verify.worker.pins import Pins
from tfmigrate.verify.worker.stages import converted
from tfmigrate.verify.worker.subject import Invocation

STEPS = 3
RATE = 0.01
"""Step size of SGD."""


@dataclasses.dataclass(frozen=True, slots=True)
class Examined:
    """A subject that has run its stages."""

    target: Callable[..., Any]
    pins: Pins
    call: Invocation
    training: Invocation
    """The same call with ``training=True``."""
    stages: Sequence[Stage]


def called(subject: Examined, call: Invocation) -> list[Any]:
    """The tensors of one call."""
    tensors: list[Any] = []
    with subject.pins.invocation(0), subject.pins.trace():
        record.take_apart(subject.target(*call.args, **call.kwargs), tensors, masks=False)
    return tensors


class Objective:
    """The mean squared distance of the float outputs from pinned targets.

    Not a linear function of them: TensorFlow's graph optimiser lets a training step of Keras 3 update the last weights
    before they are read where their gradient does not depend on the output, and the loss differs from run to run.
    """

    def __init__(self, seed: int, outputs: Sequence[Any]) -> None:
        self._targets = {
            number: tf.constant(numbers.noise(seed, f"fit {number}", tensor.shape), tf.float32)
            for number, tensor in enumerate(outputs)
            if tensor.dtype.is_floating or tensor.dtype.is_complex
        }

    def __call__(self, tensors: Sequence[Any]) -> Any:
        return tf.add_n([_distance(target, tensors[number]) for number, target in self._targets.items()])

    @property
    def first(self) -> Any:
        """The target of the first output, which has to be a float."""
        return self._targets[0]

    @property
    def size(self) -> int:
        """Numbers in the largest output; 0 without float outputs."""
        return max((int(tf.size(target)) for target in self._targets.values()), default=0)


@tf.autograph.experimental.do_not_convert  # type: ignore[untyped-decorator]
def _distance(target: Any, output: Any) -> Any:
    return tf.reduce_mean(tf.square(tf.cast(tf.math.real(output), target.dtype) - target))


@dataclasses.dataclass(frozen=True, slots=True)
class Training:
    """What is given to ``train_on_batch``."""

    model: Any
    x: Any
    y: Any
    loss: Callable[[Any, Any], Any]
    objective: Objective


def prepare(subject: Examined, outputs: list[Any], objective: Objective) -> Training:
    """A model with one input and one float output as it is, anything else inside a wrapper."""
    call = subject.training
    extra = {name: value for name, value in call.kwargs.items() if name != "training" and value is not None}
    single = len(outputs) == 1 and outputs[0].dtype.is_floating and outputs[0].shape.rank
    if is_model(subject.target) and single and len(call.args) == 1 and not extra and _one_batch(call.args[0]):
        return Training(subject.target, call.args[0], objective.first, _distance, objective)
    model = wrapper(subject, objective)
    with subject.pins.invocation(0):
        model(tf.zeros([1, 1]))
    return Training(model, tf.zeros([1, 1]), tf.zeros([1, 1]), _as_it_is, objective)


@tf.autograph.experimental.do_not_convert  # type: ignore[untyped-decorator]
def _as_it_is(y: Any, output: Any) -> Any:
    return tf.reduce_mean(output + 0.0 * y)


def _one_batch(value: Any) -> bool:
    """All are plain tensors with one batch size, which Keras's data adapters want."""
    flat = tf.nest.flatten(value)
    plain = all(isinstance(item, tf.Tensor) and item.shape.rank for item in flat)
    return plain and len({item.shape[0] for item in flat}) == 1


def wrapper(subject: Examined, objective: Objective | None = None) -> Any:
    """A model that calls the subject with the case's own arguments, and whose output is the objective.

    The arguments are no inputs of the model: Keras would want a batch dimension of them, and has its own ideas about
    nesting.
    """
    call, is_two = subject.training, is_keras_two()

    class Fit(tf.keras.Model):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__(dtype="float32")
            self.subject = subject.target

        def build(self, _: Any = None) -> None:
            """The subject is built: Keras 3 need not try."""
            self.built = True

        @tf.autograph.experimental.do_not_convert  # type: ignore[untyped-decorator]
        def call(self, x: Any, training: Any = None) -> Any:
            if objective is None:
                return x
            tensors: list[Any] = []
            record.take_apart(self._output(), tensors, masks=False)
            return x + objective(tensors)

        def _output(self) -> Any:
            if is_two and not tf.executing_eagerly():
                return converted(self.subject, call.args, call.kwargs)
            return self.subject(*call.args, **call.kwargs)

    return Fit()


def is_model(target: Any) -> bool:
    """Whether it can be saved and trained as it is."""
    return hasattr(target, "save_weights") and hasattr(target, "train_on_batch")


def is_keras_two() -> bool:
    """Whether ``tf.keras`` is Keras 2, TensorFlow's own or tf_keras."""
    return "tf_keras" in tf.keras.Model.__module__ or not hasattr(tf.keras, "ops")
