"""Makes what a recording describes: constructor arguments, and the arguments of calls.

A recording may come with a repository, so it gets to name only what the code under test has itself: classes of the
user's modules are constructed, functions are looked up there, in TensorFlow, Keras and NumPy, and nothing else is.
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import tensorflow as tf

from tfmigrate.record.format import (
    Arguments,
    Array,
    DictOf,
    Imported,
    KerasObject,
    ListOf,
    Made,
    Opaque,
    Scalar,
    TensorKind,
    TupleOf,
    Value,
)
from tfmigrate.record.format import Tensor as RecordedTensor
from tfmigrate.verify import recipes
from tfmigrate.verify.recipes import RecordedCall, RecordedRecipe

_LIBRARIES = ("tensorflow", "keras", "tf_keras", "numpy")


class NotAgain(Exception):
    """Something recorded cannot be made again; the message is a sentence."""


class Replay:
    """Makes values again; ``draw`` gives a tensor for a description, the argument's place and the call's number."""

    def __init__(self, roots: tuple[str, ...], draw: Callable[[recipes.Tensor, str, int], Any]) -> None:
        self._roots = tuple(os.path.realpath(root) + os.sep for root in roots)
        self._draw = draw
        self._number = 0
        self._objects: dict[str, Any] = {}
        self._values: Iterator[Any] | None = None

    def construct(self, cls: Any, recipe: RecordedRecipe) -> Any:
        """An instance of ``cls`` as it was recorded."""
        args, kwargs = self._both(recipe.constructor or Arguments(), "init")
        return cls(*args, **kwargs)

    def call(self, call: RecordedCall, number: int) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments of the call with this number.

        Raises:
            NotAgain: a file of values is missing, or something in the call cannot be made.
        """
        self._number = number
        self._values = iter(_sample(call)) if call.sample else None
        try:
            return self._both(call.arguments, "")
        finally:
            self._values = None

    def _both(self, arguments: Arguments, place: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
        args = tuple(self._value(value, f"{place}{number}") for number, value in enumerate(arguments.args))
        return args, {name: self._value(value, f"{place}{name}") for name, value in arguments.kwargs}

    def _value(self, value: Value, place: str) -> Any:
        if isinstance(value, Scalar):
            return value.value
        if isinstance(value, RecordedTensor):
            return next(self._values) if self._values is not None else self._tensor(value, place)
        if isinstance(value, (ListOf, TupleOf)):
            items = [self._value(item, f"{place}[{number}]") for number, item in enumerate(value.items)]
            return items if isinstance(value, ListOf) else tuple(items)
        if isinstance(value, DictOf):
            return {name: self._value(item, f"{place}.{name}") for name, item in value.items}
        if isinstance(value, Array):
            return np.array(value.data).astype(tf.as_dtype(value.dtype).as_numpy_dtype).reshape(value.shape)
        if isinstance(value, KerasObject):
            # Its text holds its name, by which Keras tells objects apart: the model that each call was given is one model.
            if value.text not in self._objects:
                self._objects[value.text] = tf.keras.utils.deserialize_keras_object(json.loads(value.text))
            return self._objects[value.text]
        if isinstance(value, Imported):
            return self._imported(value.name)
        if isinstance(value, Made):
            return self._made(value, place)
        assert isinstance(value, Opaque)
        raise NotAgain(f"{value.text} was recorded, which cannot be made again; write a case")

    def _imported(self, name: str) -> Any:
        module_name, _, path = name.partition(":")
        root = module_name.partition(".")[0]
        try:
            module = importlib.import_module(module_name) if self._is_known(module_name) else None
            found: Any = module
            for part in path.split("."):
                found = getattr(found, part)
        except (ImportError, AttributeError) as error:
            raise NotAgain(f"{name} was recorded, and is not there: {error}") from error
        if module is None or not (root in _LIBRARIES or self._is_own(module)):
            raise NotAgain(f"{name} was recorded, which is neither of the code under test nor of TensorFlow")
        return found

    def _is_known(self, name: str) -> bool:
        """Before it is imported: a module of the user's folders, or of a library."""
        root = name.partition(".")[0]
        parts = name.split(".")
        return (
            root in _LIBRARIES
            or name in sys.modules
            or any(
                os.path.exists(os.path.join(folder, *parts) + end)
                for folder in self._roots
                for end in (".py", os.sep + "__init__.py")
            )
        )

    def _is_own(self, module: Any) -> bool:
        return os.path.realpath(getattr(module, "__file__", None) or "").startswith(self._roots)

    def _made(self, value: Made, place: str) -> Any:
        found = self._imported(value.name)
        module = sys.modules.get(getattr(found, "__module__", ""))
        if not inspect.isclass(found) or not self._is_own(module):
            raise NotAgain(f"{value.name} was recorded, which is no class of the code under test")
        args, kwargs = self._both(value.arguments, f"{place}.")
        return found(*args, **kwargs)

    def _tensor(self, spec: RecordedTensor, place: str) -> Any:
        low, high = spec.range if spec.range is not None else (None, None)
        if spec.shape is None:
            raise NotAgain("not even the rank of an argument was seen; write a case")
        shape = tuple(dim for dim in spec.shape if dim is not None)
        drawn = self._draw(recipes.Tensor(shape, spec.dtype, low, high), place, self._number)
        if spec.kind is TensorKind.SPARSE:
            return _thinned(drawn, place)
        if spec.kind is TensorKind.RAGGED:
            return _ragged(drawn, spec)
        if spec.kind is TensorKind.NUMPY:
            return drawn.numpy()
        if spec.kind is TensorKind.PYTHON:
            return drawn.numpy().tolist()
        return tf.Variable(drawn) if spec.kind is TensorKind.VARIABLE else drawn


def _ragged(dense: Any, spec: RecordedTensor) -> Any:
    """A ragged tensor of the recorded kind; its rows are of several lengths where that needs one axis only."""
    splits = tf.as_dtype(spec.row_splits or "int64")
    deep = spec.ragged_rank or 1
    if deep > 1 or len(dense.shape) < 2:
        return tf.RaggedTensor.from_tensor(dense, ragged_rank=deep, row_splits_dtype=splits)
    lengths = 1 + np.arange(dense.shape[0]) % max(1, dense.shape[1])
    return tf.RaggedTensor.from_tensor(dense, lengths, row_splits_dtype=splits)


def _thinned(dense: Any, place: str) -> Any:
    """A sparse tensor with about half of the elements, and all of the diagonal."""
    rng = np.random.Generator(np.random.PCG64(zlib.crc32(place.encode())))
    kept = rng.random(dense.shape) < 0.5
    if len(dense.shape) > 1:
        kept |= np.eye(*dense.shape[-2:]) > 0
    return tf.sparse.from_dense(tf.where(kept, dense, tf.zeros_like(dense)))


def _sample(call: RecordedCall) -> list[Any]:
    """The recorded values of all tensors of ``call``."""
    assert call.sample is not None
    try:
        with np.load(call.sample, allow_pickle=False) as file:
            arrays = dict(file)
        return [_restored(spec, str(n), arrays) for n, spec in enumerate(call.arguments.tensors())]
    except (OSError, KeyError, ValueError) as error:
        raise NotAgain(f"{call.sample} cannot be read ({error}); record with --samples again") from error


def _restored(spec: RecordedTensor, name: str, arrays: dict[str, Any]) -> Any:
    dtype = tf.as_dtype(spec.dtype)
    if spec.kind is TensorKind.SPARSE:
        values = tf.constant(arrays[f"{name}.values"], dtype)
        return tf.SparseTensor(arrays[f"{name}.indices"], values, arrays[f"{name}.shape"])
    if spec.kind is TensorKind.RAGGED:
        splits = [arrays[key] for key in sorted(arrays) if key.startswith(f"{name}.splits")]
        return tf.RaggedTensor.from_nested_row_splits(tf.constant(arrays[f"{name}.values"], dtype), splits)
    array = arrays[name]
    if spec.kind is TensorKind.NUMPY:
        return array
    if spec.kind is TensorKind.PYTHON:
        return array.tolist()
    tensor = tf.constant(array, dtype)
    return tf.Variable(tensor) if spec.kind is TensorKind.VARIABLE else tensor
