"""What a version does by itself, without a reference: it trains under ``fit``, its weights can be saved and loaded, it
comes back from its configuration.

Nothing here may fail: what cannot be checked is said and skipped.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

from tfmigrate.verify.compare import Status, head, is_state_error, values
from tfmigrate.verify.observe import Array, Leaf, Property, PropertyStatus
from tfmigrate.verify.worker import record
from tfmigrate.verify.worker import values as numbers
from tfmigrate.verify.worker.identity import is_layer
from tfmigrate.verify.worker.paths import tracked_variables, weight_paths
from tfmigrate.verify.worker.pins import ACTIVE, Pins, Slot
from tfmigrate.verify.worker.training import (
    RATE,
    STEPS,
    Examined,
    Objective,
    Training,
    called,
    is_model,
    prepare,
    wrapper,
)

FIT, SAVE, CONFIG = "fit", "save_weights", "from_config"
_FAR = 1e-4
"""A weight that should have moved by this part of its size, and did not, is frozen."""
HELD, BROKEN, SKIPPED = PropertyStatus.HELD, PropertyStatus.BROKEN, PropertyStatus.SKIPPED


def original(subject: Examined) -> tuple[tuple[Property, ...], dict[str, str]]:
    """What the original can do of what is asked of the rewritten version, and its tracked weights by path if they can be
    saved."""
    if not is_layer(subject.target):
        return (), {}
    saves = _caught(SAVE, lambda: _saves_only(subject))
    paths = {} if saves.status is BROKEN else _paths(subject.target)
    return (saves, _caught(CONFIG, lambda: _round_trip(subject, call=False))), paths


def rewritten(subject: Examined) -> tuple[tuple[Property, ...], dict[str, str]]:
    """All properties, and the tracked weights by path."""
    if not is_layer(subject.target):
        return (Property(FIT, SKIPPED, "it is not a layer or a model that is called as a whole"),), {}
    paths = _paths(subject.target)
    checks = ((SAVE, _loads_back), (CONFIG, _round_trip), (FIT, _fits))
    return tuple(_caught(name, lambda check=check: check(subject)) for name, check in checks), paths  # type: ignore[misc]


def _caught(name: str, check: Callable[[], Property]) -> Property:
    try:
        return check()
    except Exception as error:
        return Property(name, SKIPPED, f"checking it raised {_told(error)}")


def _told(error: BaseException) -> str:
    failure = record.failure(error)
    return f"{failure.type}: {head(failure.message)}"


def _paths(target: Any) -> dict[str, str]:
    try:
        return weight_paths(target)
    except Exception:  # attributes of user code may raise anything
        return {}


# -- saving --------------------------------------------------------------------------------------------------


def _savable(subject: Examined) -> Any:
    if is_model(subject.target):
        return subject.target
    model = wrapper(subject)
    with subject.pins.invocation(0):
        model(tf.zeros([1, 1]))
    return model


def _saves_only(subject: Examined) -> Property:
    if not subject.target.weights:  # type: ignore[attr-defined]
        return Property(SAVE, SKIPPED, "it has no weights")
    with tempfile.TemporaryDirectory() as folder:
        error = _save(_savable(subject), Path(folder))[1]
    return Property(SAVE, BROKEN if error else HELD, error)


def _save(model: Any, folder: Path) -> tuple[str, str]:
    """The path to load from, and what went wrong. Keras 2 cannot put two layers of one name into one HDF5 file: then its
    own format."""
    path = str(folder / "saved.weights.h5")
    try:
        model.save_weights(path)
        return path, ""
    except Exception as error:
        first = _told(error)
    with contextlib.suppress(Exception):
        model.save_weights(str(folder / "saved"), save_format="tf")
        return str(folder / "saved"), ""
    return path, f"save_weights raises {first}"


def _loads_back(subject: Examined) -> Property:
    pins, target = subject.pins, subject.target
    tracked = tracked_variables(target)
    lost = [slot.key for slot in _living(pins) if slot.is_trainable() and id(slot.raw()) not in tracked]
    if lost:
        return Property(SAVE, SKIPPED, f"{lost[0]} is not tracked")
    if not tracked:
        return Property(SAVE, SKIPPED, "it has no weights")
    model = _savable(subject)
    _reset(pins)
    with tempfile.TemporaryDirectory() as folder:
        path, problem = _save(model, Path(folder))
        if problem:
            return Property(SAVE, BROKEN, problem)
        first = [record.leaf(tensor) for tensor in called(subject, subject.call)]
        _reset(pins)
        for variable in tracked.values():
            _disturb(variable, pins.seed)
        active = ACTIVE.set(None)  # What a program loads itself is no longer pinned.
        try:
            model.load_weights(path)
        except Exception as error:
            return Property(SAVE, BROKEN, f"load_weights raises {_told(error)}")
        finally:
            ACTIVE.reset(active)
        second = [record.leaf(tensor) for tensor in called(subject, subject.call)]
    for number, (one, two) in enumerate(zip(first, second, strict=True)):
        if values("", f"output {number}", one, two).status is Status.DIFFERENT:
            return Property(SAVE, BROKEN, _not_back(subject, tracked))
    return Property(SAVE, HELD)


def _disturb(variable: Any, seed: int) -> None:
    if variable.dtype.is_floating:
        noise = numbers.noise(seed, "disturbed", variable.shape)
        variable.assign_add(tf.cast(tf.constant(noise), variable.dtype))


def _not_back(subject: Examined, tracked: dict[int, Any]) -> str:
    """Which weight has not come back."""
    for slot in _living(subject.pins):
        if id(slot.raw()) in tracked and (slot.replaces or (slot.moves and slot.start is not None)):
            start = subject.pins.value_of(slot)
            if not np.allclose(np.asarray(slot.raw(), np.float64), start, 1e-2, 1e-3):
                return f"{slot.key} does not come back by save_weights and load_weights"
    return "a call after save_weights and load_weights gives another result"


def _living(pins: Pins) -> list[Slot]:
    return [slot for slot in pins.slots if slot.raw() is not None and "float" in slot.dtype]


def _reset(pins: Pins) -> None:
    pins.variant = 0
    pins.restore()


# -- configuration -------------------------------------------------------------------------------------------


def _round_trip(subject: Examined, call: bool = True) -> Property:
    target: Any = subject.target
    try:
        again = type(target).from_config(target.get_config())
        if call:
            with subject.pins.invocation(0), subject.pins.trace():
                again(*subject.call.args, **subject.call.kwargs)
    except Exception as error:
        return Property(CONFIG, BROKEN, f"from_config(get_config()) raises {_told(error)}")
    if call and (one := _shapes(target)) != (two := _shapes(again)):
        return Property(
            CONFIG, BROKEN, f"after from_config(get_config()) the weights have the shapes {two}, not {one}"
        )
    return Property(CONFIG, HELD)


def _shapes(layer: Any) -> list[tuple[int, ...]]:
    return sorted(tuple(weight.shape) for weight in layer.weights)


# -- training ------------------------------------------------------------------------------------------------


def _fits(subject: Examined) -> Property:
    outputs = called(subject, subject.training)
    objective = Objective(subject.pins.seed, outputs)
    if not objective.size:
        return Property(FIT, SKIPPED, "it has no float output")
    if not subject.target.trainable_weights:  # type: ignore[attr-defined]
        return Property(FIT, SKIPPED, "it has no trainable weights")
    training = prepare(subject, outputs, objective)
    try:
        eager, still = _trained(subject, training, eager=True)
    except Exception as error:
        broken = is_state_error(str(error))
        return Property(FIT, BROKEN if broken else SKIPPED, f"with run_eagerly=True it raises {_told(error)}")
    try:
        graph, _ = _trained(subject, training, eager=False)
    except Exception as error:
        broken = is_state_error(str(error))
        return Property(FIT, BROKEN if broken else SKIPPED, f"as a graph it raises {_told(error)}")
    return _compared(eager, graph, still)


def _compared(eager: Array, graph: Array, still: list[str]) -> Property:
    if not np.isfinite(eager[0]):
        return Property(FIT, SKIPPED, f"its first loss is {eager[0]:g}")
    result = values("", "loss", Leaf("float32", eager), Leaf("float32", graph), 10.0)
    if result.status is Status.DIFFERENT:
        step = result.index[0] if result.index else 0
        where = "the loss after three steps" if step == STEPS else f"the loss of step {step + 1}"
        return Property(FIT, BROKEN, f"{where} is {eager[step]:.9g} eagerly and {graph[step]:.9g} as a graph")
    if still:
        more = f" (and {len(still) - 1} more)" if len(still) > 1 else ""
        return Property(FIT, BROKEN, f"a gradient reaches {still[0]}{more}, and fit does not move it")
    return Property(FIT, HELD)


def _trained(subject: Examined, training: Training, *, eager: bool) -> tuple[Array, list[str]]:
    """The losses of three steps and the objective after them; the weights that should have moved and did not."""
    pins, model = subject.pins, training.model
    tf.config.run_functions_eagerly(eager)
    _reset(pins)
    if eager:
        model.compile(optimizer=tf.keras.optimizers.SGD(RATE), loss=training.loss, run_eagerly=True)
    else:  # what the first run made is not made anew inside a trace
        model.run_eagerly = model.jit_compile = False
        model.make_train_function(force=True)
    before = _values(subject)
    losses = []
    for _ in range(STEPS):
        with pins.invocation(0):
            losses.append(float(np.ravel(model.train_on_batch(training.x, training.y))[0]))
    still = [key for key, old in before.items() if _is_still(subject, key, old, training.objective.size)]
    tf.config.run_functions_eagerly(True)
    losses.append(float(training.objective(called(subject, subject.call))))
    return np.array(losses, np.float32), still


def _values(subject: Examined) -> dict[str, tuple[Slot, Array]]:
    """Trainable weights by key."""
    trainable: Any = subject.target
    known = {id(getattr(weight, "_value", weight)) for weight in trainable.trainable_weights}
    found = [slot for slot in _living(subject.pins) if id(slot.raw()) in known]
    return {slot.key: (slot, record.leaf(slot.raw().read_value()).array) for slot in found}


def _is_still(subject: Examined, key: str, old: tuple[Slot, Array], size: int) -> bool:
    """Whether a weight has not moved, though the gradient of the first step says that it should by far."""
    slot, start = old
    step = next((stage for stage in subject.stages if stage.training and not stage.failure), None)
    gradient = step.gradients.get(key) if step else None
    if gradient is None or not np.array_equal(record.leaf(slot.raw().read_value()).array, start):
        return False
    expected = RATE * float(np.max(np.abs(gradient.array), initial=0.0)) / size
    return expected > _FAR * float(np.max(np.abs(start), initial=0.0))
