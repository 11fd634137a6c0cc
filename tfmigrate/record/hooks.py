"""Puts the recorder's hooks into TensorFlow and Keras as soon as the program imports them, not before.

What is wrapped keeps its name, signature and result; where the classes of the user's are not involved, a wrapper costs
one dict look-up.
"""

from __future__ import annotations

import functools
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

from tfmigrate.record.recorder import Pending, Recorder

Patch = Callable[[ModuleType], None]
_TRAINS = {
    "fit": True,
    "train_on_batch": True,
    "evaluate": False,
    "predict": False,
    "test_on_batch": False,
    "predict_on_batch": False,
}


def install(recorder: Recorder) -> None:
    """Hook into what is imported already, and into what will be."""
    patches = _patches(recorder)
    for name, patch in patches.items():
        if name in sys.modules:
            patch(sys.modules[name])
    sys.meta_path.insert(0, _Watcher(patches))


def _patches(recorder: Recorder) -> Mapping[str, Patch]:
    """Module -> what to do once it is imported. Keras 3, tf_keras, and Keras 2 of TensorFlow up to 2.15."""

    def layers(module: ModuleType) -> None:
        _wrap_new(module.Layer, recorder)
        _wrap_call(module.Layer, recorder.begin, recorder.end)

    def models(module: ModuleType) -> None:
        for name in ("Model", "Sequential", "Functional"):
            cls = getattr(module, name, None)
            if cls is not None and cls.__module__ == module.__name__ and "__new__" in vars(cls):
                _wrap_new(cls, recorder)
        fits(module)

    def fits(module: ModuleType) -> None:
        for name in ("Model", "TensorFlowTrainer"):
            cls = getattr(module, name, None)
            if cls is not None and cls.__module__ == module.__name__:
                _wrap_fits(cls, recorder)

    found: dict[str, Patch] = {
        "tensorflow.python.module.module": lambda module: _wrap_module(module.Module, recorder),
        "tensorflow.python.eager.polymorphic_function.polymorphic_function": (
            lambda module: _wrap_call(module.Function, recorder.function_begins, recorder.function_ends)
        ),
        "keras.src.layers.layer": layers,
        "keras.src.models.model": models,
        "keras.src.models.sequential": models,
        "keras.src.models.functional": models,
        "keras.src.backend.tensorflow.trainer": fits,
    }
    for package in ("tf_keras.src", "keras.src", "keras", "tensorflow.python.keras"):
        found[f"{package}.engine.base_layer"] = layers
        found[f"{package}.engine.training"] = models
    return found


class _Watcher(importlib.abc.MetaPathFinder):
    """Lets the other finders do their work, and patches a module right after its code has run."""

    def __init__(self, patches: Mapping[str, Patch]) -> None:
        self._patches = patches

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        patch = self._patches.get(fullname)
        if patch is None:
            return None
        for finder in sys.meta_path:
            spec = None if finder is self else finder.find_spec(fullname, path, target)
            if spec is not None:
                _run_after(spec.loader, patch)
                return spec
        return None


def _run_after(loader: Any, patch: Patch) -> None:
    run = loader.exec_module

    def exec_module(module: ModuleType) -> None:
        run(module)
        patch(module)

    loader.exec_module = exec_module


def _wrap_new(cls: Any, recorder: Recorder) -> None:
    original = cls.__new__

    @functools.wraps(original)
    def __new__(cls: type, *args: Any, **kwargs: Any) -> Any:
        instance = original(cls, *args, **kwargs)
        if recorder.is_own(cls):
            recorder.made(instance, args, kwargs, sys._getframe(1))
        return instance

    cls.__new__ = staticmethod(__new__)


Begins = Callable[[Any, tuple[Any, ...], dict[str, Any]], Pending | None]
Ends = Callable[[Pending, Any, BaseException | None], None]


def _wrap_call(cls: Any, begins: Begins, ends: Ends) -> None:
    """``begins`` and ``ends`` are told of each call of an instance; what ``begins`` gives None for is of no interest."""
    original = cls.__call__

    @functools.wraps(original)
    def __call__(self: Any, *args: Any, **kwargs: Any) -> Any:
        pending = begins(self, args, kwargs)
        if pending is None:
            return original(self, *args, **kwargs)
        try:
            result = original(self, *args, **kwargs)
        except BaseException as error:
            ends(pending, self, error)
            raise
        ends(pending, self, None)
        return result

    cls.__call__ = __call__


def _wrap_module(module_class: Any, recorder: Recorder) -> None:
    """tf.Module has no ``__new__`` and no ``__call__`` of its own: classes get the latter when they are first made."""
    wrapped: set[type] = set()

    def __new__(cls: type, *args: Any, **kwargs: Any) -> Any:
        base: Any = super(module_class, cls).__new__
        instance = base(cls) if base is object.__new__ else base(cls, *args, **kwargs)
        if recorder.is_own(cls):
            for holder in cls.__mro__:
                plain = type(vars(holder).get("__call__")) is type(_wrap_call)
                if plain and holder not in wrapped and recorder.is_own(holder):
                    _wrap_call(holder, recorder.begin, recorder.end)
                    wrapped.add(holder)
            recorder.made(instance, args, kwargs, sys._getframe(1))
        return instance

    module_class.__new__ = staticmethod(__new__)


def _wrap_fits(cls: Any, recorder: Recorder) -> None:
    for name, trains in _TRAINS.items():
        original = vars(cls).get(name)
        if original is not None:
            setattr(cls, name, _fitting(original, trains, recorder))


def _fitting(original: Any, trains: bool, recorder: Recorder) -> Any:
    @functools.wraps(original)
    def fit(self: Any, *args: Any, **kwargs: Any) -> Any:
        inputs = args[0] if args else kwargs.get("x")
        recorder.fit_begins(self, inputs, kwargs.get("batch_size"), trains)
        try:
            return original(self, *args, **kwargs)
        finally:
            recorder.fit_ends()

    return fit
