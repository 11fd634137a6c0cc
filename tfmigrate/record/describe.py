"""Objects of the running program into descriptions. Looks, and changes nothing.

TensorFlow and Keras are not imported here: an object of theirs can only turn up when they are there.
"""

from __future__ import annotations

import enum
import json
import sys
import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from tfmigrate.record.model import (
    Arguments,
    Array,
    DictOf,
    Dim,
    Imported,
    KerasObject,
    ListOf,
    Made,
    Opaque,
    Scalar,
    Tensor,
    TensorKind,
    TupleOf,
    Value,
)
from tfmigrate.record.places import module_name

MOST_ITEMS = 64
DEEPEST = 8
LONGEST_TEXT = 1000
LARGEST_ARRAY = 4096
"""Elements of a constructor's array that is kept by value."""
LARGEST_RANGED = 1_000_000
"""Elements of an array whose values are looked at."""
LONGEST_NUMBERS = 16
"""A longer list of Python numbers is described as an array."""

HowMade = Callable[[Any], "tuple[str, Arguments] | None"]
"""The symbol and the constructor arguments of an instance that was seen being made."""


class Describer:
    """Describes the arguments of one call or construction, and notes what kinds of tensors were among them."""

    def __init__(self, how_made: HowMade, by_value: bool = False, ranges: bool = False) -> None:
        self._how_made = how_made
        self._by_value = by_value
        self._ranges = ranges
        self.symbolic = False
        """There was one of Keras's placeholders."""
        self.concrete = True
        """All tensors had values."""
        self.masked = False
        """A tensor carried a mask of Keras's."""
        self.tensors: list[Any] = []
        """The objects that were described as tensors, in order."""

    def arguments(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Arguments:
        return Arguments(
            tuple(self.value(value) for value in args),
            tuple((name, self.value(value)) for name, value in kwargs.items()),
        )

    def value(self, value: Any, depth: int = 0) -> Value:
        """The description of ``value``."""
        if value is None or type(value) in (bool, int, float):
            return Scalar(value)
        if type(value) is str:
            return Scalar(value) if len(value) <= LONGEST_TEXT else Opaque(value[:80])
        if depth > DEEPEST:
            return _opaque(value)
        if isinstance(value, (list, tuple, dict)):
            return self._container(value, depth)
        if isinstance(value, enum.Enum):
            return _imported(type(value), f".{value.name}") or _opaque(value)
        root = type(value).__module__.partition(".")[0]
        if root == "numpy":
            return self._numpy(value)
        tensor = self._tensor(value)
        if tensor is not None:
            return tensor
        made = self._how_made(value)
        if made is not None:
            return Made(*made)
        if root in ("tensorflow", "keras", "tf_keras"):
            return _of_library(value)
        return _imported(value) or _opaque(value)

    def _container(self, value: Any, depth: int) -> Value:
        if isinstance(value, dict):
            if len(value) > MOST_ITEMS or not all(type(key) is str for key in value):
                return _opaque(value)
            return DictOf(tuple((key, self.value(item, depth + 1)) for key, item in value.items()))
        if len(value) > LONGEST_NUMBERS and all(type(item) in (bool, int, float) for item in value):
            return self._numbers(value)
        if len(value) > MOST_ITEMS:
            return _opaque(value)
        items = tuple(self.value(item, depth + 1) for item in value)
        if hasattr(value, "_fields"):
            cls = _imported(type(value))
            return Made(cls.name, Arguments(items)) if cls else _opaque(value)
        return ListOf(items) if isinstance(value, list) else TupleOf(items)

    def _numbers(self, value: Any) -> Value:
        import numpy as np

        array = np.asarray(value)
        name = {"f": "float32", "i": "int32", "b": "bool"}[array.dtype.kind]
        if self._by_value and array.size <= LARGEST_ARRAY:
            return ListOf(tuple(Scalar(item) for item in value))
        self.tensors.append(array)
        return Tensor(array.shape, name, TensorKind.PYTHON, self._range(array))

    def _numpy(self, value: Any) -> Value:
        import numpy as np

        if isinstance(value, np.dtype):
            return Scalar(value.name)
        if not isinstance(value, (np.ndarray, np.generic)):
            return _imported(value) or _opaque(value)
        array = np.asarray(value)
        if array.dtype.kind not in "biufcSU":
            return _opaque(value)
        name = "string" if array.dtype.kind in "SU" else array.dtype.name
        if self._by_value and array.size <= LARGEST_ARRAY and array.dtype.kind in "biuf":
            return Array(array.shape, name, tuple(array.ravel().tolist()))
        self.tensors.append(value)
        return Tensor(array.shape, name, TensorKind.NUMPY, self._range(array))

    def _tensor(self, value: Any) -> Value | None:
        """Tensors of TensorFlow's and Keras's, variables and placeholders; None for anything else."""
        kinds = {base.__name__ for base in type(value).__mro__}
        if "KerasTensor" in kinds:
            return self._placeholder(value)
        if "_keras_mask" in getattr(value, "__dict__", ()) and value._keras_mask is not None:
            self.masked = True
        if kinds & {"RaggedTensor", "SparseTensor"}:
            return self._composite(value, "RaggedTensor" in kinds)
        if kinds & {"Variable", "BaseResourceVariable", "KerasVariable"} and hasattr(value, "dtype"):
            return self._plain(value, TensorKind.VARIABLE)
        if "Tensor" in kinds and hasattr(value, "dtype"):
            return self._plain(value, TensorKind.TENSOR)
        return None

    def _plain(self, value: Any, kind: TensorKind) -> Value:
        array = self._values(value)
        if (
            self._by_value
            and array is not None
            and array.size <= LARGEST_ARRAY
            and array.dtype.kind in "biuf"
        ):
            return Array(array.shape, _dtype(value), tuple(array.ravel().tolist()))
        self.tensors.append(value)
        bounds = self._range(array) if array is not None and self._ranges else None
        return Tensor(_shape(value.shape), _dtype(value), kind, bounds)

    def _composite(self, value: Any, ragged: bool) -> Value:
        inner = value.flat_values if ragged else value.values
        array = self._values(inner)
        self.tensors.append(value)
        kind = TensorKind.RAGGED if ragged else TensorKind.SPARSE
        bounds = self._range(array) if array is not None and self._ranges else None
        plain = Tensor(_shape(value.shape), _dtype(value), kind, bounds)
        if not ragged:
            return plain
        return replace(plain, ragged_rank=int(value.ragged_rank), row_splits=value.row_splits.dtype.name)

    def _values(self, tensor: Any) -> Any:
        """The values, where they are asked for: fetching them copies them, from a GPU at that."""
        if not (self._by_value or self._ranges):
            self.concrete = self.concrete and _has_values(tensor)
            return None
        array = _array(tensor)
        self.concrete = self.concrete and array is not None
        return array

    def _placeholder(self, value: Any) -> Value:
        self.symbolic, self.concrete = True, False
        self.tensors.append(value)
        kind = TensorKind.TENSOR
        text = type(value).__name__
        if getattr(value, "sparse", False) is True or text.startswith("Sparse"):
            kind = TensorKind.SPARSE
        elif getattr(value, "ragged", False) is True or text.startswith("Ragged"):
            kind = TensorKind.RAGGED
        return Tensor(_shape(value.shape), _dtype(value), kind)

    def _range(self, array: Any) -> tuple[float, float] | None:
        if not self._ranges or not 0 < array.size <= LARGEST_RANGED or array.dtype.kind not in "biuf":
            return None
        import numpy as np

        low, high = array.min(), array.max()
        if not (np.isfinite(low) and np.isfinite(high)):
            return None
        return low.item(), high.item()


def _has_values(tensor: Any) -> bool:
    """Whether a tensor has values now, as far as its kind says."""
    if type(tensor).__name__ not in ("EagerTensor", "ResourceVariable", "Variable", "UninitializedVariable"):
        return False
    tensorflow = sys.modules.get("tensorflow")
    return tensorflow is not None and bool(tensorflow.executing_eagerly())


def _array(tensor: Any) -> Any:
    """The values of a tensor that has some now, else None."""
    if not _has_values(tensor):
        return None
    try:
        array = tensor.numpy()
    except Exception:  # no value after all: a parallel tensor, a dtype without an array
        return None
    import numpy as np

    array = np.asarray(array)
    return array.astype(np.float32) if array.dtype.kind == "V" or array.dtype.name == "bfloat16" else array


def _shape(shape: Any) -> tuple[Dim, ...] | None:
    if shape is None or getattr(shape, "rank", 0) is None:
        return None
    return tuple(None if dim is None else int(dim) for dim in shape)


def _dtype(value: Any) -> str:
    name = value.dtype if isinstance(value.dtype, str) else value.dtype.name
    return name.removesuffix("_ref")


def _of_library(value: Any) -> Value:
    """A dtype, a shape, a function, or a Keras object that can be serialised."""
    if type(value).__name__ == "DType":
        return Imported(f"tensorflow:{value.name}")
    if type(value).__name__ == "TensorShape":
        return Opaque(repr(value)) if value.rank is None else TupleOf(tuple(map(Scalar, value.as_list())))
    return _imported(value) or _serialised(value) or _opaque(value)


def _serialised(value: Any) -> KerasObject | None:
    root = type(value).__module__.partition(".")[0]
    if root not in ("keras", "tf_keras") or not hasattr(value, "get_config"):
        return None
    saving = getattr(sys.modules.get(root), "saving", None)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            config = saving.serialize_keras_object(value)  # type: ignore[union-attr]
        return KerasObject(json.dumps(config, sort_keys=True, allow_nan=False))
    except Exception:  # whatever the object's own get_config does
        return None


def _imported(value: Any, suffix: str = "") -> Imported | None:
    """How ``value``, a function or class of some module, can be imported again."""
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(name, str) or "<" in name:
        return None
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    return Imported(f"{module_name(module)}:{name}{suffix}") if found is value else None


def _opaque(value: Any) -> Opaque:
    try:
        text = (
            repr(value) if not isinstance(value, (list, tuple, dict)) else f"{type(value).__name__} of many"
        )
    except Exception:
        text = object.__repr__(value)
    return Opaque(text[:80])
