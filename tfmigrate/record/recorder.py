"""Between the hooks and what is kept: which instance is which entry, which mode a call runs in.

Nothing that goes wrong here may reach the program that is recorded: the first such error is kept for the report, and
the call goes on.
"""

from __future__ import annotations

import inspect
import re
import sys
import threading
import weakref
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import FrameType
from typing import TYPE_CHECKING, Any

from tfmigrate.record.describe import Describer
from tfmigrate.record.keeper import Entry, FunctionEntry, Keeper
from tfmigrate.record.model import Arguments, Call, CallMode, Constructor
from tfmigrate.record.options import Options
from tfmigrate.record.places import Definition, Places
from tfmigrate.record.samples import PER_ENTRY, Samples
from tfmigrate.record.unwrap import unwrapped

if TYPE_CHECKING:
    from collections.abc import Iterator

_COPIERS = frozenset({"__newobj__", "__newobj_ex__", "__reduce_ex__", "inject_functional_model_class"})
_FROM_CONFIG = frozenset({"from_config", "clone_model", "deserialize_keras_object"})
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_NEAR = 12
"""Frames above a construction in which Keras's own deserialising shows."""


@dataclass(slots=True)
class Pending:
    """A call that has begun."""

    entry: Entry
    call: Call
    nested: bool
    traces: int = 0


class _Thread(threading.local):
    """What goes on in one thread."""

    def __init__(self) -> None:
        self.calls: list[tuple[bool | None, bool]] = []
        """Of each call of the user's that runs: training, and whether it is symbolic."""
        self.fits: list[bool] = []
        """Of each ``fit`` (True) or ``predict`` (False) that runs."""
        self.busy = False


class Recorder:
    """One process's recording."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.keeper = Keeper()
        self.problem = ""
        """The first error of the recorder's own."""
        self._places = Places(options.roots, str(options.folder))
        self._samples = Samples(options.folder)
        self._thread = _Thread()
        self._classes: dict[type, Definition | None] = {}
        self._instances: dict[int, tuple[weakref.ref[Any], Entry]] = {}
        self._functions: weakref.WeakKeyDictionary[Any, FunctionEntry | None] = weakref.WeakKeyDictionary()

    # -- constructions ---------------------------------------------------------------------------------------

    def is_own(self, cls: type) -> bool:
        """Whether ``cls`` is a class of the user's."""
        if cls not in self._classes:
            self._classes[cls] = self._places.definition_of_class(cls)
        return self._classes[cls] is not None

    def made(self, instance: Any, args: tuple[Any, ...], kwargs: dict[str, Any], frame: FrameType) -> None:
        """``instance`` is being made with these arguments. Where two hooks say so, the later one knows better."""
        definition = self._classes.get(type(instance))
        if definition is None or self._thread.busy or frame.f_code.co_name in _COPIERS:
            return
        with self._working():
            described = Describer(self.how_made, by_value=True).arguments(args, kwargs)
            constructor = Constructor(described, _is_from_config(frame))
            number = id(instance)
            known = self._entry(instance)
            if known is not None:
                self.keeper.unmade(known)
            entry = self.keeper.made(definition, constructor)
            reference = weakref.ref(instance, lambda _: self._forget(number))
            self._instances[number] = (reference, entry)

    def how_made(self, instance: Any) -> tuple[str, Arguments] | None:
        """The symbol and the constructor's arguments of an instance of the user's."""
        entry = self._entry(instance)
        if entry is None or entry.constructor is None:
            return None
        return entry.definition.name, entry.constructor.arguments

    def _entry(self, instance: Any) -> Entry | None:
        known = self._instances.get(id(instance))
        return known[1] if known is not None and known[0]() is instance else None

    def _forget(self, number: int) -> None:
        known = self._instances.get(number)
        if known is not None and known[0]() is None:
            del self._instances[number]

    # -- calls of instances ----------------------------------------------------------------------------------

    def begin(self, instance: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Pending | None:
        """A call of ``instance``. Each that is not None has to be ended."""
        if self._classes.get(type(instance)) is None or self._thread.busy:
            return None
        entry = self._entry(instance)
        if entry is None or entry.is_full:
            return None
        pending = None
        with self._working():
            pending = self._described(entry, args, kwargs, getattr(instance, "call", None))
        if pending is not None:
            symbolic = pending.call.mode is CallMode.SYMBOLIC
            self._thread.calls.append((pending.call.training, symbolic))
        return pending

    def end(self, pending: Pending, _: Any, error: BaseException | None) -> None:
        """The call has returned, or raised ``error``. Of the instance nothing is asked any more."""
        self._thread.calls.pop()
        with self._working():
            self._keep(pending, error)

    def _described(
        self, entry: Entry, args: tuple[Any, ...], kwargs: dict[str, Any], function: Any = None
    ) -> Pending | None:
        looking = Describer(self.how_made)
        arguments = looking.arguments(args, kwargs)
        outer = self._thread.calls[-1] if self._thread.calls else None
        if not looking.symbolic and _in_symbolic_scope():
            return None  # Sizes there are made up by Keras.
        mode = self._mode(looking, outer)
        training = self._training(args, kwargs, function, outer)
        call = Call(arguments, training, looking.masked, mode)
        if looking.concrete and not entry.is_ranged(call):
            ranged = Describer(self.how_made, ranges=True)
            again = ranged.arguments(args, kwargs)
            looking.concrete = ranged.concrete
            call = replace(call, arguments=again) if ranged.concrete else call
        if entry.is_new(call):
            call = replace(call, caller=self._places.caller(sys._getframe(2)))
            call = replace(call, sample=self._sample(entry, looking))
        return Pending(entry, call, nested=outer is not None)

    def _sample(self, entry: Entry, looking: Describer) -> str | None:
        wanted = self.options.samples and looking.concrete and entry.samples < PER_ENTRY
        path = self._samples.keep(entry.definition.name, looking.tensors) if wanted else None
        entry.samples += path is not None
        return path

    def _mode(self, looking: Describer, outer: tuple[bool | None, bool] | None) -> CallMode:
        if looking.symbolic or (outer is not None and outer[1]):
            return CallMode.SYMBOLIC
        if self._thread.fits:
            return CallMode.FIT
        tensorflow = sys.modules.get("tensorflow")
        is_eager = tensorflow is None or tensorflow.executing_eagerly()
        return CallMode.EAGER if is_eager else CallMode.GRAPH

    def _training(
        self,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        function: Any,
        outer: tuple[bool | None, bool] | None,
    ) -> bool | None:
        given = kwargs.get("training")
        if given is None and len(args) > 1 and function is not None:
            given = _positional(function, args)
        if isinstance(given, bool):
            return given
        if outer is not None and outer[0] is not None:
            return outer[0]
        return self._thread.fits[-1] if self._thread.fits else None

    def _keep(self, pending: Pending, error: BaseException | None) -> None:
        call = pending.call
        if error is not None:
            caller = call.caller or self._places.caller(sys._getframe(2))
            call = replace(call, raised=_one_line(error), sample=None, caller=caller)
        with self.keeper.lock:
            pending.entry.add(call, pending.nested)

    # -- fit and tf.function ---------------------------------------------------------------------------------

    def fit_begins(self, model: Any, inputs: Any, batch_size: Any, trains: bool) -> None:
        """``fit`` or one of its kind begins; only arrays are looked at, nobody's generator is consumed."""
        self._thread.fits.append(trains)
        with self._working():
            entry = self._entry(model)
            batch = _first_batch(inputs, batch_size)
            if entry is None or batch is None:
                return
            looking = Describer(self.how_made, ranges=True)
            keywords = {"training": trains} if _takes_training(model) else {}
            arguments = _as_tensors(looking.arguments((batch,), keywords))
            call = Call(arguments, trains, mode=CallMode.FIT)
            if entry.is_new(call):
                call = replace(call, caller=self._places.caller(sys._getframe(2)))
                call = replace(call, sample=self._sample(entry, looking))
            with self.keeper.lock:
                entry.add(call, nested=False)

    def fit_ends(self) -> None:
        self._thread.fits.pop()

    def function_begins(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Pending | None:
        """A tf.function is called. Each that is not None has to be ended."""
        if self._thread.busy:
            return None
        pending = None
        with self._working():
            if function not in self._functions:
                self._functions[function] = self._function_entry(function)
            entry = self._functions[function]
            if entry is None:
                return None
            if not entry.is_full:
                pending = self._described(entry, args, kwargs, function.python_function)
            if pending is None:
                pending = Pending(entry, Call(Arguments()), nested=True)
            pending.traces = _traces(function)
        return pending

    def function_ends(self, pending: Pending, function: Any, error: BaseException | None) -> None:
        """The call has returned, or raised ``error``."""
        with self._working():
            entry = pending.entry
            assert isinstance(entry, FunctionEntry)
            traces = max(0, _traces(function) - pending.traces)
            entry.traces += traces
            if not entry.is_full and (pending.call.arguments != Arguments() or not pending.nested):
                pending.call = replace(pending.call, traces=traces)
                self._keep(pending, error)

    def _function_entry(self, function: Any) -> FunctionEntry | None:
        python, owner = unwrapped(function.python_function)
        definition = self._places.definition_of_function(python)
        if definition is None:
            return None
        entry = self.keeper.function(definition)
        entry.wrappers += owner is None
        entry.jit_compile = getattr(function, "_jit_compile", None)
        entry.has_signature = function.input_signature is not None
        made = self._entry(owner) if owner is not None else None
        if made is not None and entry.constructor is None:
            entry.constructor = made.constructor
        return entry

    @contextmanager
    def _working(self) -> Iterator[None]:
        """Nothing that runs inside is recorded, and no error gets out."""
        self._thread.busy = True
        try:
            yield
        except Exception as error:  # a bug of the recorder's must not become one of the program's
            import traceback

            if not self.problem:
                self.problem = "".join(traceback.format_exception(error)).strip()
        finally:
            self._thread.busy = False


def _is_from_config(frame: FrameType | None) -> bool:
    for _ in range(_NEAR):
        if frame is None:
            return False
        if frame.f_code.co_name in _FROM_CONFIG:
            return True
        frame = frame.f_back
    return False


def _in_symbolic_scope() -> bool:
    scope = sys.modules.get("keras.src.backend.common.symbolic_scope")
    return bool(scope is not None and scope.in_symbolic_scope())


def _positional(function: Any, args: tuple[Any, ...]) -> Any:
    """What was passed by position for the parameter ``training``."""
    try:
        names = list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return None
    place = names.index("training") if "training" in names else len(args)
    return args[place] if place < len(args) else None


def _takes_training(model: Any) -> bool:
    try:
        return "training" in inspect.signature(model.call).parameters
    except (TypeError, ValueError, AttributeError):
        return False


def _first_batch(inputs: Any, batch_size: Any) -> Any:
    """The first batch of arrays; None for anything that would have to be run to be looked at."""
    size = batch_size if isinstance(batch_size, int) else 32
    if isinstance(inputs, dict):
        parts = {key: _first_batch(item, size) for key, item in inputs.items()}
        return None if any(part is None for part in parts.values()) else parts
    if isinstance(inputs, (list, tuple)) and inputs and not hasattr(inputs, "_fields"):
        items = [_first_batch(item, size) for item in inputs]
        # A list of inputs reaches the model as a tuple.
        return None if any(item is None for item in items) else tuple(items)
    root = type(inputs).__module__.partition(".")[0]
    if root not in ("numpy", "tensorflow") or not hasattr(inputs, "shape") or not hasattr(inputs, "dtype"):
        return None
    if not getattr(inputs, "ndim", 1) or not hasattr(inputs, "__getitem__"):
        return None
    return inputs[:size]


def _as_tensors(arguments: Arguments) -> Arguments:
    """Models see tensors, whatever ``fit`` was given."""
    from tfmigrate.record.fold import with_tensors
    from tfmigrate.record.model import TensorKind

    found = arguments.tensors()
    as_tensors = [replace(t, kind=TensorKind.TENSOR) if t.kind is TensorKind.NUMPY else t for t in found]
    # Keras computes in float32 whatever the array's floats are.
    floats = [replace(t, dtype="float32") if t.dtype == "float64" else t for t in as_tensors]
    return with_tensors(arguments, floats)


def _traces(function: Any) -> int:
    return int(function.experimental_get_tracing_count())


def _one_line(error: BaseException) -> str:
    """``ValueError: too small``; what Keras says around the message of the code that it called is left out."""
    try:
        lines = [line for line in _COLOUR.sub("", str(error)).strip().splitlines() if line.strip()]
    except Exception:
        lines = []
    if len(lines) > 1 and lines[0].startswith("Exception encountered when calling"):
        lines = lines[1:]
    return f"{type(error).__name__}: {lines[0].strip()[:200]}" if lines else type(error).__name__
