"""Weights and random draws made equal across versions, modes and processes.

One :class:`Pins` is active while an arm runs (``ACTIVE``); the patches of
:mod:`tfmigrate.verify.worker.patches` ask it for names, initial values and seeds. Names come from
:mod:`tfmigrate.verify.worker.identity`."""

from __future__ import annotations

import contextlib
import random
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import tensorflow as tf

from tfmigrate.verify.worker import values
from tfmigrate.verify.worker.identity import Frame, Identities, is_lambda, is_layer, is_library
from tfmigrate.verify.worker.paths import own_variables
from tfmigrate.verify.worker.streams import Streams


class _Active:
    """The pins of this process. No context variable: replicas of a strategy run in threads of their own, and user code
    starts some."""

    def __init__(self) -> None:
        self._pins: Pins | None = None

    def get(self) -> Pins | None:
        """The pins that everything is asked of now."""
        return self._pins

    def set(self, pins: Pins | None) -> Pins | None:
        """Use ``pins`` from now on. Those before, for :meth:`reset`."""
        before, self._pins = self._pins, pins
        return before

    def reset(self, before: Pins | None) -> None:
        """Use those again that :meth:`set` gave."""
        self._pins = before


ACTIVE = _Active()

_RANDOM = ("Random", "Truncated", "VarianceScaling", "Glorot", "He", "Lecun", "Orthogonal")
_STATISTICS = frozenset({"moving_mean", "moving_variance"})
NO_NAME = "Variable"
"""What TensorFlow calls a variable without a name."""


@dataclass(eq=False, slots=True)
class Slot:
    """One variable: what it is called, and what it starts from."""

    key: str
    name: str
    layer: weakref.ref[Any] | None
    shape: tuple[int, ...]
    dtype: str
    trainable: bool
    replaces: bool
    """The whole value is pinned (the original one was random), not a moved copy of it."""
    moves: bool
    initial: str
    settled: bool
    created: int
    is_scratch: bool = False
    """It does not count (``ArmJob.scratch``)."""
    frozen: bool = False
    """Its layer was not trainable when it was made."""
    variable: weakref.ref[Any] | None = None
    start: npt.NDArray[np.generic] | None = None

    def is_trainable(self) -> bool:
        """What it is now: code may have changed it, of the variable or (all that counts in Keras 2) of its layer."""
        held = self.variable() if self.variable is not None else None
        if held is None:
            return self.trainable
        layer = self.layer() if self.layer is not None else None
        frozen = self.frozen if layer is None else not getattr(layer, "trainable", True)
        return bool(held.trainable) and not frozen

    def raw(self) -> Any:
        """The tf.Variable behind it, None if it is gone or not made yet."""
        held = self.variable() if self.variable is not None else None
        return getattr(held, "_value", held) if not isinstance(held, tf.Variable) else held


class Pins:
    """The names and numbers of one run of one subject."""

    def __init__(
        self, seed: int, known: frozenset[str] | None, learned: Mapping[str, str] | None = None
    ) -> None:
        self.seed = seed
        self.identities = Identities(known)
        self.slots: list[Slot] = []
        self.late: dict[str, str] = {}
        """Names that came too late for a variable made inside a trace -> the right ones, for another try."""
        self.functions_called = 0
        self.functions: dict[int, Any] = {}
        """The tf.functions that were called, kept alive: made anew in each call, they are traced in each."""
        self.print_file = ""
        self.streams: Streams | None = None
        """What draws with a numbered place take their numbers from."""
        self.scratch: frozenset[str] = frozenset()
        """Names of variables that keep their own values and do not count."""
        self.variant = 0
        """Another number gives all pinned weights other values."""
        self.making: Slot | None = None
        self.draw_kind = ""
        """What the next seed is for, where the caller of Keras's ``draw_seed`` knows."""
        self._learned = learned or {}
        self._by_layer: dict[int, list[Slot]] = {}
        self._stack = [Frame("")]
        self._kept: list[Any] = []
        self._invocation = 0
        self._used_keys: dict[str, Slot] = {}

    # Frames and layers

    @contextlib.contextmanager
    def invocation(self, number: int, draws: int = 0) -> Iterator[None]:
        """One call of the subject from outside: counters, Python's and NumPy's generators start afresh.

        Another number ``draws`` gives draws that have a place other numbers."""
        self._invocation = number
        self._kept = []
        self._stack = [Frame("")]
        random.seed(self.seed)
        np.random.seed(self.seed % 2**32)
        if self.streams is not None:
            self.streams.start(draws)
        yield

    @contextlib.contextmanager
    def trace(self) -> Iterator[None]:
        """One run of the subject's body inside an invocation: a function can be traced several times."""
        with self._frame(Frame("")):
            yield

    @contextlib.contextmanager
    def _frame(self, frame: Frame) -> Iterator[None]:
        self._stack.append(frame)
        try:
            yield
        finally:
            self._stack.pop()

    @contextlib.contextmanager
    def calling(self, layer: Any) -> Iterator[None]:
        """``layer`` is called: give it its name, and start a frame. What a ``Lambda`` runs is its caller's."""
        if is_lambda(layer):
            yield
            return
        name = self.identify(layer)
        with self._frame(Frame(name, layer)):
            yield

    @contextlib.contextmanager
    def apart(self, layer: Any) -> Iterator[None]:
        """Keras runs ``layer``'s body or build besides its call: what that counts must not shift the call's
        numbers."""
        with self._frame(Frame(self.identities.get(layer) or self._stack[-1].owner, layer)):
            yield

    @contextlib.contextmanager
    def function_body(self) -> Iterator[None]:
        """One run of a tf.function's body, which can be traced twice: its draws are numbered from 0 each time, so that
        eager runs and traces agree. Layers keep counting in the call that they are part of."""
        frame = self._stack[-1]
        with self._frame(Frame(frame.owner, frame.layer, frame.seen, frame.counts)):
            yield

    def name_subject(self, target: Any) -> None:
        """Name what the invocations call, and by path what it holds."""
        owner = getattr(target, "__self__", target)
        name = self.identities.get(owner) or type(owner).__qualname__.replace("<locals>.", "")
        with contextlib.suppress(TypeError):  # no weak reference to plain functions of C
            self.identities.give(owner, name)
            self._settle(owner)
            self._adopt(owner, name)

    def identify(self, layer: Any) -> str:
        """The name of a layer that is being called."""
        known = self.identities.get(layer)
        if known is None or is_library(layer):
            self._adopt_from_stack(layer, known)
        name = self.identities.by_order(layer, self._stack[-1])
        if known is None:
            self._settle(layer)
            self._adopt(layer, name)
        elif is_library(layer):
            self._adopt(layer, name)
        return name

    def _adopt_from_stack(self, layer: Any, known: str | None) -> None:
        if known is None:
            for frame in reversed(self._stack):
                if frame.layer is not None and is_library(frame.layer):
                    self._adopt(frame.layer, frame.owner)

    def _adopt(self, owner: Any, name: str) -> None:
        for child in self.identities.adopt(owner, name):
            self._settle(child)

    # Variables

    @property
    def in_users_layer(self) -> bool:
        """Whether a layer of the user's own is being called."""
        layer = self._stack[-1].layer
        return is_layer(layer) and not is_library(layer)

    def new_slot(
        self, layer: Any, name: str, shape: Any, dtype: str, trainable: bool, initializer: Any
    ) -> Slot:
        """A variable is about to be made, by ``layer`` (None: by code outside of layers)."""
        if layer is not None and self.identities.get(layer) is None:
            self._adopt_from_stack(layer, None)
        kind = type(initializer).__name__
        floating = "float" in dtype
        is_random = is_library(initializer) and kind.startswith(_RANDOM)
        slot = Slot(
            key="",
            name=name or "variable",
            layer=weakref.ref(layer) if layer is not None else None,
            shape=tuple(int(size) for size in shape or ()),
            dtype=dtype,
            trainable=trainable,
            replaces=floating and is_random,
            moves=floating and (trainable or name in _STATISTICS),
            initial=kind if is_library(initializer) and not tf.is_tensor(initializer) else "",
            settled=False,
            created=self._invocation,
            frozen=layer is not None and not getattr(layer, "trainable", True),
        )
        self._name_slot(slot)
        if slot.key in self.scratch:
            slot.is_scratch, slot.moves = True, False
        self.slots.append(slot)
        if layer is not None:
            self._by_layer.setdefault(id(layer), []).append(slot)
        return slot

    def _name_slot(self, slot: Slot) -> None:
        layer = slot.layer() if slot.layer else None
        owner = self.identities.get(layer) if layer is not None else None
        frame = self._stack[-1]
        slot.settled = owner is not None or layer is None
        if owner is not None:
            base = f"{owner}/{slot.name}"
        elif layer is not None:
            base = f"{frame.owner}/?{type(layer).__name__}/{slot.name}"
            base += f"?{frame.count(base)}"
        elif self.in_users_layer and slot.name != NO_NAME:
            # Made in a call and lost: `add_weight` would give it this name.
            base = f"{frame.owner}/{slot.name}"
            number = frame.count(base)
            base += f"#{number}" if number else ""
        else:
            base = f"{frame.owner}/{slot.name}{list(slot.shape)}"
            base += f"#{frame.count(base)}"
        base = self._learned.get(base, base)
        slot.key = self._unique(base, slot)

    def _unique(self, base: str, slot: Slot) -> str:
        """Two living variables of one layer can have one name; what is made anew takes the name over."""
        key, number = base, 0
        while (held := self._used_keys.get(key)) is not None and held is not slot:
            if held.layer is None or slot.layer is None or held.layer() is not slot.layer():
                break
            if held.created not in (0, slot.created):
                break  # `add_weight` in a call, made anew by the next one.
            number += 1
            key = f"{base}@{number}"
        self._used_keys[key] = slot
        return key

    def _settle(self, layer: Any) -> None:
        """``layer`` has its name now: so have the variables that it made before."""
        self._claim(layer)
        for slot in self._by_layer.get(id(layer), ()):
            if slot.settled or slot.layer is None or slot.layer() is not layer:
                continue
            early = slot.key
            self._name_slot(slot)
            raw = slot.raw()
            if raw is None or slot.key == early or not (slot.replaces or slot.moves):
                continue  # not made yet: its initial value will have the right name
            if not tf.executing_eagerly() and type(raw).__name__ == "UnliftedInitializerVariable":
                self.late[early] = slot.key
                continue
            with tf.init_scope():
                raw.assign(tf.cast(self.value_of(slot), raw.dtype))

    def _claim(self, layer: Any) -> None:
        """A tf.Variable that ``layer`` keeps is named as ``add_weight`` would: by the attribute, or its own name."""
        loose = {id(slot.raw()): slot for slot in self.slots if slot.layer is None}
        for path, variable in own_variables(layer) if loose else ():
            slot = loose.pop(id(variable), None)
            if slot is not None:
                if slot.name == NO_NAME:
                    slot.name = path if path.isidentifier() else "variable"
                slot.layer, slot.settled = weakref.ref(layer), False
                self._by_layer.setdefault(id(layer), []).append(slot)

    def value_of(self, slot: Slot) -> npt.NDArray[np.generic]:
        """The pinned initial value. Raises ValueError when the slot is not pinned."""
        name = f"{self.variant}|{slot.key}|{list(slot.shape)}|{slot.dtype}"
        if slot.replaces:
            return values.weights(self.seed, name, slot.shape)
        if slot.start is None:
            raise ValueError(f"{slot.key} keeps its own value")
        return values.perturbed(slot.start, self.seed, name)

    def initial_value(self, slot: Slot, original: Callable[[], Any]) -> Any:
        """What the variable starts with: pinned, or what ``original`` gives."""
        if slot.replaces:
            return tf.constant(self.value_of(slot), slot.dtype)
        with self._frame(Frame(f"{slot.key}|initial")):
            start = original()
        concrete = tf.get_static_value(tf.convert_to_tensor(start))
        if concrete is not None and (not slot.initial or slot.initial == "Constant"):
            slot.initial = fill(np.asarray(concrete))
        if not slot.moves:
            return start
        if concrete is None:  # computed inside a trace
            shape = [size or 1 for size in start.shape]
            return start + tf.constant(0.1 * values.noise(self.seed, slot.key, shape), start.dtype)
        slot.start = np.asarray(concrete, np.float64)
        slot.shape = slot.start.shape
        return tf.constant(self.value_of(slot), tf.as_dtype(slot.dtype))

    def made(self, slot: Slot, variable: Any) -> None:
        """The variable exists."""
        slot.variable = weakref.ref(variable)
        self._kept.append(variable)
        if not (slot.replaces or slot.moves) and tf.executing_eagerly():
            with contextlib.suppress(Exception):  # not made yet, or without a value
                slot.start = np.array(slot.raw().numpy())
                slot.initial = slot.initial or fill(slot.start)

    def keep(self, thing: Any) -> None:
        """Hold ``thing`` until the invocation ends, so that its values can be read afterwards."""
        self._kept.append(thing)

    def restore(self) -> None:
        """Set all living variables to their pinned values, or to what they started with."""
        for slot in self.slots:
            raw = slot.raw()
            if raw is None:
                continue
            if slot.replaces or (slot.moves and slot.start is not None):
                raw.assign(tf.cast(self.value_of(slot), raw.dtype))
            elif slot.start is not None:
                raw.assign(slot.start)

    def keep_values(self, weights: Iterable[Any]) -> None:
        """What these variables hold now is what they start with, for good."""
        given = {
            id(getattr(one, "_value", one) if not isinstance(one, tf.Variable) else one) for one in weights
        }
        for slot in self.slots:
            raw = slot.raw()
            if raw is not None and id(raw) in given:
                slot.replaces = slot.moves = False
                slot.start = np.array(raw.numpy())

    # Draws

    def draw_seed(self, kind: str = "") -> tuple[int, int]:
        """The seed of the next random op of this kind in this frame.

        What Keras's ``Dropout`` draws counts as drawn by the layer that calls it: ``tf.nn.dropout`` is the same operation.
        """
        frame = self._stack[-1]
        if len(self._stack) > 1 and _is_dropout(frame.layer):
            frame = self._stack[-2]
        return values.seed_pair(self.seed, f"{frame.owner}|draw {kind} {frame.draw(kind)}")


def _is_dropout(layer: Any) -> bool:
    kind = type(layer)
    return kind.__name__ == "Dropout" and kind.__module__.partition(".")[0] in ("keras", "tf_keras")


def fill(array: npt.NDArray[np.generic]) -> str:
    """A variable's own initial value, said in a few words."""
    if array.size and np.all(array == array.flat[0]):
        return {0.0: "Zeros", 1.0: "Ones"}.get(array.flat[0], f"constant {array.flat[0]!r}")
    return "values"
