"""Outputs taken apart into a description of their nesting and a flat list of tensors, and tensors made into
arrays."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import tensorflow as tf

from tfmigrate.verify.observe import Failure, Leaf

_ADDRESS = re.compile(r"0x[0-9a-fA-F]+")
_COLOUR = re.compile(r"\x1b\[\d*m")
_PATH = re.compile(r"(?:/[\w.+~@-]+){2,}")
_NUMBERED = re.compile(r"(?<=[A-Za-z])_\d+\b")
_NODE = re.compile(r"\{\{.*?\}\}|\[Op:\w+\].*", re.DOTALL)
_NOISE = ((_COLOUR, ""), (_NODE, ""), (_ADDRESS, "0x"), (_PATH, "<path>"), (_NUMBERED, ""))


def take_apart(value: Any, tensors: list[Any], masks: bool = True) -> Any:
    """Describe the nesting of ``value`` as JSON data, and append its tensors to ``tensors``."""
    if isinstance(value, tf.RaggedTensor | tf.SparseTensor | tf.IndexedSlices):
        parts = tf.nest.flatten(value, expand_composites=True)
        return [type(value).__name__, *(take_apart(part, tensors, False) for part in parts)]
    if isinstance(value, tf.TensorArray):
        return ["TensorArray", take_apart(value.stack(), tensors, False)]
    if isinstance(value, np.ndarray | np.generic) or tf.is_tensor(value) or hasattr(value, "__tf_tensor__"):
        mask = getattr(value, "_keras_mask", None) if masks else None
        tensors.append(tf.convert_to_tensor(value))
        leaf = ["leaf", len(tensors) - 1]
        return leaf if mask is None else ["masked", leaf, take_apart(mask, tensors, False)]
    if isinstance(value, Mapping):
        return ["dict", {str(key): take_apart(value[key], tensors, masks) for key in value}]
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        items = {
            name: take_apart(item, tensors, masks) for name, item in zip(value._fields, value, strict=True)
        }
        return [type(value).__name__, items]
    if isinstance(value, list | tuple):
        kind = "tuple" if isinstance(value, tuple) else "list"
        return [kind, *(take_apart(item, tensors, masks) for item in value)]
    if value is None or isinstance(value, bool | int | float | str):
        return ["value", value]
    return ["object", type(value).__qualname__]


def leaf(tensor: Any) -> Leaf:
    """A concrete tensor as an array."""
    dtype = tensor.dtype
    name = dtype.name if hasattr(dtype, "name") else str(dtype)
    if name.startswith(("bfloat16", "float8")):
        return Leaf(name, np.asarray(tf.cast(tensor, tf.float32)))
    array = np.asarray(tensor)
    if array.dtype.kind in "OS":
        text = [item.decode("utf-8", "backslashreplace") for item in array.astype(object).ravel()]
        return Leaf("string", np.array(text, dtype=np.str_).reshape(array.shape))
    return Leaf(name.removesuffix("_ref"), array)


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an allocation failed. Keras raises other exceptions in the place of those that it cannot make anew."""
    chain: BaseException | None = error
    for _ in range(20):
        if chain is None:
            return False
        if isinstance(chain, MemoryError | tf.errors.ResourceExhaustedError):
            return True
        chain = chain.__cause__ or chain.__context__
    return False


def failure(error: BaseException) -> Failure:
    """An exception without what differs from run to run."""
    try:
        text = str(error.args[0] if isinstance(error, KeyError) and error.args else error)
    except Exception:
        text = ""
    if isinstance(error, PermissionError) and error.filename is not None:
        # Outside of the scratch folder: where, is the point.
        return Failure("PermissionError", f"{error.strerror}: {error.filename}")
    for pattern, replacement in _NOISE:
        text = pattern.sub(replacement, text)
    return Failure(type(error).__name__, text.strip()[:2000])
