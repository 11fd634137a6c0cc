"""A subject written as a SavedModel and loaded again, in the place of the subject itself."""

from __future__ import annotations

import contextlib
import dataclasses
import re
import tempfile
from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from tfmigrate.verify.observe import Stage
from tfmigrate.verify.worker import record
from tfmigrate.verify.worker.identity import is_layer
from tfmigrate.verify.worker.pins import ACTIVE, Pins
from tfmigrate.verify.worker.stages import converted, signature
from tfmigrate.verify.worker.subject import Invocation

_UNTRACKED = re.compile(r'name="(\w+)[^"]*".*not reachable from root|untracked.*?(\w+):\d', re.DOTALL)


class NotTracked(Exception):
    """A call reads a variable that the subject does not know of."""


class Exporter:
    """Runs calls of a loaded SavedModel. The interface is that of ``stages.Runner``."""

    def __init__(
        self, target: Callable[..., Any], pins: Pins, calls: Sequence[Invocation], *, fresh_each_call: bool
    ) -> None:
        self._target = target
        self._pins = pins
        self._calls = calls
        self._fresh = fresh_each_call
        self._known: dict[str, tuple[str, Any]] = {}
        """What decides about a trace -> its name in the SavedModel, and the nesting of its outputs."""
        self._structure: Any = None
        self._folder = ""
        self._loaded: Any = None

    def traces(self) -> int:
        """Tracing is the graph mode's business."""
        return 0

    def run(self, stage: Stage, call: Invocation, step: bool) -> Stage:
        """One call of what was loaded; the first writes and loads it. Raises what TensorFlow raises."""
        if not self._folder:
            self._write()
        if self._loaded is None or self._fresh:
            self._loaded = _loaded(self._folder)
        for mine, theirs in zip(self._counters(), self._loaded.counters, strict=True):
            theirs.assign(mine)
        name, structure = self._known[_key(call)]
        leaves = tuple(record.leaf(tensor) for tensor in getattr(self._loaded, name)(*_tensors(call)))
        return dataclasses.replace(stage, structure=structure, leaves=leaves)

    def _write(self) -> None:
        with contextlib.suppress(Exception), self._pins.trace():  # It is built; how it fails shows below.
            self._target(*self._calls[0].args, **self._calls[0].kwargs)
        self._pins.restore()
        module = tf.Module()
        module.counters, module.subject = self._counters(), self._held()
        for call in self._calls:
            if _key(call) in self._known:
                continue
            name, serve = f"serve_{len(self._known)}", tf.function(self._serving(call), autograph=False)
            serve._tfmigrate_own = True
            serve.get_concrete_function(*_tensors(call))
            setattr(module, name, serve)
            self._known[_key(call)] = name, self._structure
        folder = tempfile.mkdtemp(prefix="exported-")
        try:
            tf.saved_model.save(module, folder)
        except (KeyError, AssertionError) as error:
            if found := _UNTRACKED.search(str(error)):
                name = found[1] or found[2] or "a variable"
                raise NotTracked(
                    f"a SavedModel cannot hold {name}, which a call uses: nothing that is saved tracks it"
                ) from error
            raise
        self._folder = folder

    def _held(self) -> Any:
        """What the SavedModel has to keep: the object; for a function the variables that it uses."""
        owner = getattr(self._target, "__self__", self._target)
        if isinstance(owner, tf.Module) or is_layer(owner):
            return owner
        return [slot.raw() for slot in self._pins.slots if slot.raw() is not None]

    def _counters(self) -> list[Any]:
        return self._pins.streams.variables if self._pins.streams is not None else []

    def _serving(self, call: Invocation) -> Callable[..., list[Any]]:
        """The call as a function of its tensors alone: nothing else can be given to what was loaded."""

        def serve(*given: Any) -> list[Any]:
            there = iter(given)
            args, kwargs = tf.nest.map_structure(
                lambda value: next(there) if tf.is_tensor(value) else value,
                (call.args, call.kwargs),
                expand_composites=True,
            )
            with self._pins.trace():
                tensors: list[Any] = []
                self._structure = record.take_apart(converted(self._target, args, kwargs), tensors)
            return tensors

        return serve


def _loaded(folder: str) -> Any:
    """What was written, with variables that are not among the subject's."""
    token = ACTIVE.set(None)
    try:
        return tf.saved_model.load(folder)
    finally:
        ACTIVE.reset(token)


def _tensors(call: Invocation) -> list[Any]:
    flat = tf.nest.flatten((call.args, call.kwargs), expand_composites=True)
    return [value for value in flat if tf.is_tensor(value)]


def _key(call: Invocation) -> str:
    return signature((call.args, call.kwargs))
