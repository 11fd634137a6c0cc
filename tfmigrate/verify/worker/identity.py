"""Names for layers and variables that are the same before and after a rewrite.

A layer that exists as an attribute in both versions is named by its path. Any other is named when it is first
called, by the call that it is part of: (parent, class and configuration, how many unlike layers of that kind
were called before it in this call of the parent). Calls start afresh, so an original that makes its layers
anew in each call gets the same names each time; two layers shared as one, or swapped, come out with other
names."""

from __future__ import annotations

import functools
import hashlib
import json
import re
import weakref
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

_LIBRARIES = frozenset({"keras", "tf_keras", "tensorflow"})
_VOLATILE = frozenset(
    {"name", "trainable", "seed", "build_config", "build_input_shape", "batch_input_shape", "batch_shape"}
)
TRACKING = ("_layers", "_self_", "_obj_", "_tracker", "_inbound", "_outbound", "_metrics", "_tfmigrate")
_CONTAINERS = frozenset({"Sequential", "Functional"})
_AUTOMATIC = re.compile(r"_\d+$")
_DEPTH = 4
"""How deep lists and dicts on an object are searched for layers."""


def is_layer(value: object) -> bool:
    """Whether ``value`` is a layer or model of either Keras flavour, without importing one."""
    return _sort(value) == "layer"


def _sort(value: object) -> str:
    """``layer``, ``list``, ``mapping``, ``module`` or nothing: asked for every attribute in every call."""
    return _sort_of(cast(Hashable, type(value)))


@functools.cache
def _sort_of(kind: Any) -> str:
    bases = kind.__mro__
    if any(base.__name__ == "Layer" and base.__module__.partition(".")[0] in _LIBRARIES for base in bases):
        return "layer"
    if issubclass(kind, list | tuple):
        return "list"
    if issubclass(kind, Mapping):
        return "mapping"
    is_module = any(base.__name__ == "Module" and base.__module__.startswith("tensorflow.") for base in bases)
    return "module" if is_module else ""


def is_library(value: object) -> bool:
    """Whether the class itself is TensorFlow's or Keras's: its code is the same in both versions."""
    return type(value).__module__.partition(".")[0] in _LIBRARIES


def is_lambda(value: object) -> bool:
    """Whether ``value`` is a ``Lambda`` layer, which owns nothing: what its function makes is named by its caller."""
    return type(value).__name__ == "Lambda" and is_library(value)


@dataclass(slots=True)
class Frame:
    """One call of a layer (or of the subject): counters that start afresh with it."""

    owner: str
    layer: Any = None
    seen: dict[str, dict[int, Any]] = field(default_factory=dict)
    """Key -> the layers of that key called so far. Held, so that a freed layer's address is not taken for a
    new one's."""
    counts: dict[str, int] = field(default_factory=dict)
    draws: dict[str, int] = field(default_factory=dict)

    def draw(self, kind: str) -> int:
        """0, 1, 2 ... for each random op of one kind."""
        number = self.draws.get(kind, 0)
        self.draws[kind] = number + 1
        return number

    def count(self, key: str) -> int:
        """0, 1, 2 ... for each use of ``key`` in this frame."""
        number = self.counts.get(key, 0)
        self.counts[key] = number + 1
        return number


class Identities:
    """The names given so far."""

    def __init__(self, known: frozenset[str] | None) -> None:
        self._known = known
        self.across = False
        """Names are compared with those of a run in the other Keras flavour, which writes configurations otherwise."""
        self._names: dict[int, tuple[weakref.ref[Any], str, str]] = {}
        self.paths: set[str] = set()
        """Names by path of everything that was there when its owner was first seen."""

    def get(self, layer: object) -> str | None:
        """The name of ``layer``, None if it has none yet."""
        entry = self._names.get(id(layer))
        return entry[1] if entry and entry[0]() is layer else None

    def key(self, layer: object) -> str:
        """Class and configuration; "" for a layer that was named by path."""
        entry = self._names.get(id(layer))
        return entry[2] if entry and entry[0]() is layer else ""

    def give(self, layer: object, name: str, key: str = "") -> None:
        """Name ``layer``."""
        self._names[id(layer)] = (weakref.ref(layer), name, key)

    def by_order(self, layer: object, frame: Frame) -> str:
        """The name of a layer that is called in ``frame`` (and counts there), given now if it has none."""
        name = self.get(layer)
        key = self.key(layer) if name else describe(layer, not self.across)
        if name and not key:
            return name
        peers = frame.seen.setdefault(key, {})
        number = len(peers)
        if peers.setdefault(id(layer), layer) is layer and name:
            return name
        name = f"{frame.owner}/{key}#{number}"
        self.give(layer, name, key)
        return name

    def adopt(self, owner: object, name: str) -> list[Any]:
        """Name by path the unnamed layers that ``owner`` holds; returns those that were named."""
        named = []
        for path, child in held_layers(owner):
            if is_lambda(child):
                continue
            full = f"{name}.{path}"
            self.paths.add(full)
            if self.get(child) is None and (self._known is None or full in self._known or is_library(owner)):
                self.give(child, full)
                named.append(child)
        return named


def held_layers(owner: object) -> Iterator[tuple[str, Any]]:
    """Layers that ``owner`` holds in attributes, lists, tuples and dicts, with the path; not what those
    layers hold."""
    seen: set[int] = {id(owner)}
    attributes = getattr(owner, "__dict__", {})
    for attribute, value in list(attributes.items()):
        if _sort(value) and not attribute.startswith(TRACKING):
            yield from _layers_in(value, attribute, _DEPTH, seen)
    # Keras's own lists of sublayers have the order of assignment, which a rewrite changes; they count where
    # they are
    # all there is.
    if is_library(owner) or any(kind.__name__ in _CONTAINERS for kind in type(owner).__mro__):
        for attribute in ("_layers", "_self_tracked_trackables"):
            yield from _layers_in(attributes.get(attribute), attribute, _DEPTH, seen)


def _layers_in(value: Any, path: str, depth: int, seen: set[int]) -> Iterator[tuple[str, Any]]:
    sort = _sort(value)
    if sort == "layer":
        if id(value) not in seen:
            seen.add(id(value))
            yield path, value
    elif not sort or not depth:
        return
    elif sort == "list":
        for index, item in enumerate(value):
            if _sort(item):
                yield from _layers_in(item, f"{path}[{index}]", depth - 1, seen)
    elif sort == "mapping":
        for key, item in list(value.items()):
            if _sort(item):
                yield from _layers_in(item, f"{path}[{key!r}]", depth - 1, seen)
    elif id(value) not in seen:
        seen.add(id(value))
        for attribute, item in list(vars(value).items()):
            if _sort(item):
                yield from _layers_in(item, f"{path}.{attribute}", depth - 1, seen)


def describe(layer: Any, with_config: bool = True) -> str:
    """Class and, for the library's own classes (``with_config``), a digest of the configuration without names and seeds.

    A user's class is described by its name alone: the rewrite may change what its configuration says.
    """
    name = type(layer).__qualname__.replace("<locals>.", "")
    if not is_library(layer) or not with_config:
        return name
    try:
        config = json.dumps(_stable(layer.get_config()), sort_keys=True, default=lambda v: type(v).__name__)
    except Exception:  # get_config of user-made parts may raise anything
        return name
    return f"{name}~{hashlib.blake2b(config.encode(), digest_size=3).hexdigest()}"


def _stable(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(k): _stable(v) for k, v in value.items() if k not in _VOLATILE}
    if isinstance(value, list | tuple):
        return [_stable(item) for item in value]
    if isinstance(value, str):
        return _AUTOMATIC.sub("", value)
    if isinstance(value, int | float | None):
        return value
    return type(value).__name__
