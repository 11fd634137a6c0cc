"""A subject under Keras's own ``fit``: three steps of gradient descent, compiled or eagerly, noted as stages.

It is called once before, so that its weights are there and have their pinned values: how it is traced without them is
the graph mode's business.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import tensorflow as tf

from tfmigrate.verify.compare import head
from tfmigrate.verify.observe import Leaf, Stage
from tfmigrate.verify.worker import record
from tfmigrate.verify.worker.identity import is_layer
from tfmigrate.verify.worker.replicas import REPLICAS
from tfmigrate.verify.worker.training import (
    RATE,
    STEPS,
    Examined,
    Objective,
    Training,
    called,
    is_keras_two,
    prepare,
)

AFTER = "call after fit"


def fitted(
    subject: Examined, read: Callable[[], Mapping[str, Leaf]], *, eager: bool, strategy: Any = None
) -> tuple[tuple[Stage, ...], str]:
    """The stages ``fit 1`` to ``fit 3`` (loss and variables after each step) and a call after them.

    Args:
        read: gives the variables' values now, by key.
        eager: ``run_eagerly=True``.
        strategy: a ``tf.distribute`` strategy whose replicas get the whole batch each, or None.

    Returns:
        The stages, up to the first that fails; and why there are none, as a sentence.
    """
    if not is_layer(subject.target):
        return (), "it is not a layer or a model that is called as a whole"
    replicas = 1 if strategy is None else REPLICAS
    with strategy.scope() if strategy is not None else contextlib.nullcontext():
        outputs = called(subject, subject.training)
        objective = Objective(subject.pins.seed, outputs)
        if not objective.size:
            return (), "it has no float output"
        if not subject.target.trainable_weights:  # type: ignore[attr-defined]
            return (), "it has no trainable weights"
        known = frozenset(read())  # Without the optimizer's and the metrics'.
        training = prepare(subject, outputs, objective)
        try:
            training.model.compile(
                optimizer=tf.keras.optimizers.SGD(RATE),
                loss=_shared(training.loss, replicas),
                run_eagerly=eager,
                jit_compile=False,
            )
        except TypeError as error:  # a compile() of its own
            return (), f"compile(optimizer, loss) raises {head(str(error))}"
        return tuple(_stages(subject, training, _only(read, known), replicas)), ""


def _shared(loss: Callable[[Any, Any], Any], replicas: int) -> Callable[[Any, Any], Any]:
    """The gradients of all replicas are summed: each has its share of the loss. Keras 2 sees to that itself."""

    @tf.autograph.experimental.do_not_convert  # type: ignore[untyped-decorator]
    def share(y: Any, output: Any) -> Any:
        return loss(y, output) / replicas

    return share if replicas > 1 and not is_keras_two() else loss


def _only(read: Callable[[], Mapping[str, Leaf]], known: frozenset[str]) -> Callable[[], Mapping[str, Leaf]]:
    return lambda: {key: leaf for key, leaf in read().items() if key in known}


def _stages(
    subject: Examined, training: Training, read: Callable[[], Mapping[str, Leaf]], replicas: int
) -> list[Stage]:
    subject.pins.variant = 0
    subject.pins.restore()
    watch, stages = _watch(subject, read)
    x, y = (
        tf.nest.map_structure(lambda t: tf.concat([t] * replicas, 0), data)
        for data in (training.x, training.y)
    )
    batch = int(tf.nest.flatten(x)[0].shape[0])
    try:
        training.model.fit(x, y, batch_size=batch, epochs=STEPS, shuffle=False, verbose=0, callbacks=[watch])
        after = [record.leaf(tensor) for tensor in called(subject, subject.call)]
    except Exception as error:  # whatever the user's code raises is an observation
        if record.is_out_of_memory(error):
            raise MemoryError(str(error)) from error
        name = f"fit {len(stages) + 1}" if len(stages) < STEPS else AFTER
        return [*stages, Stage(name, True, record.failure(error))]
    structure = ["tuple", *(["leaf", number] for number in range(len(after)))]
    return [*stages, Stage(AFTER, True, structure=structure, leaves=tuple(after))]


def _watch(subject: Examined, read: Callable[[], Mapping[str, Leaf]]) -> tuple[Any, list[Stage]]:
    """A callback, and the stages that it notes."""
    stages: list[Stage] = []

    class Watch(tf.keras.callbacks.Callback):  # type: ignore[misc]
        def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
            with subject.pins.invocation(0):  # Draws start afresh in each step, as they do in a graph.
                pass

        def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
            loss = Leaf("float32", np.asarray((logs or {})["loss"], np.float32))
            name = f"fit {epoch + 1}"
            stages.append(Stage(name, True, structure=["leaf", 0], leaves=(loss,), values=read()))

    return Watch(), stages
