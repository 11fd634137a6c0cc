"""Weights by the attribute path under which Keras saves them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import tensorflow as tf

from tfmigrate.verify.worker.identity import TRACKING, held_layers

_OWN = ("_trainable_variables", "_non_trainable_variables", "_trainable_weights", "_non_trainable_weights")
_DEPTH = 3


def tracked_variables(owner: Any) -> dict[int, Any]:
    """The tf.Variables among ``owner``'s weights, by identity."""
    found = (raw(weight) for weight in owner.weights)
    return {id(variable): variable for variable in found if variable is not None}


def raw(weight: Any) -> Any:
    """The tf.Variable of a weight of either flavour."""
    return weight if isinstance(weight, tf.Variable) else getattr(weight, "_value", None)


def weight_paths(owner: Any) -> dict[str, str]:
    """Path of each tracked weight (``dense.kernel``, ``blocks[0].scale``) -> its type and shape (``float32 (4, 3)``).

    A weight that no attribute holds has its own name after the path of its layer.
    """
    left = tracked_variables(owner)
    found: dict[str, str] = {}
    for path, variable in _held(owner, "", set()):
        if left.pop(id(variable), None) is not None:
            found[path] = f"{variable.dtype.name} {tuple(variable.shape)}"
    return found


def own_variables(layer: Any) -> Iterator[tuple[str, Any]]:
    """Path and tf.Variable of each that an attribute of ``layer`` holds, not those of its sublayers."""
    for name, value in list(getattr(layer, "__dict__", {}).items()):
        if name not in _OWN and not name.startswith(TRACKING):
            yield from _variables_in(value, name, _DEPTH)


def _held(layer: Any, path: str, seen: set[int]) -> Iterator[tuple[str, Any]]:
    if id(layer) in seen:
        return
    seen.add(id(layer))
    attributes = getattr(layer, "__dict__", {})
    for name, variable in own_variables(layer):
        yield f"{path}{name}", variable
    for name in _OWN:
        for weight in list(attributes.get(name) or ()):
            if (variable := raw(weight)) is not None:
                own = str(weight.name).rpartition("/")[2].partition(":")[0]
                yield f"{path}{own}", variable
    for name, child in held_layers(layer):
        yield from _held(child, f"{path}{name}.", seen)


def _variables_in(value: Any, path: str, depth: int) -> Iterator[tuple[str, Any]]:
    if isinstance(value, tf.Variable):
        yield path, value
    elif isinstance(getattr(value, "_value", None), tf.Variable):
        yield path, value._value
    elif depth and isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _variables_in(item, f"{path}[{index}]", depth - 1)
    elif depth and isinstance(value, Mapping):
        for key, item in list(value.items()):
            yield from _variables_in(item, f"{path}[{key!r}]", depth - 1)
