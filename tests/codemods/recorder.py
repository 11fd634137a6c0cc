"""Runs a small layer on names instead of tensors, and says which layers were applied to what.

Nothing of Keras is imitated but this: a layer keeps its arguments and is applied. So two versions of a class can be
compared in a millisecond: which layers are made with what, which of them are one and the same, and in which order they
run. Whether Keras agrees is what the verifier's tests are for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any


class Layer:
    """A layer with a ``call``."""


class _Made(Layer):
    def __init__(self, *args: object, name: str = "", activation: Any = None, **options: object) -> None:
        if None in (*args, *options.values()) or not (args or options):
            raise TypeError(f"{type(self).__name__} wants a number")
        self.made = (
            type(self).__name__,
            args,
            tuple(sorted(options.items())),
            name,
            activation and activation("t"),
        )

    def __call__(self, x: object) -> Applied:
        return Applied(self, x)


class Dense(_Made):
    pass


class Dropout(_Made):
    pass


class Applied:
    """The result of ``layer`` for ``x``."""

    def __init__(self, layer: _Made, x: object) -> None:
        self.layer = layer
        self.x = x


def total(values: Sequence[object]) -> tuple[object, ...]:
    """Several results as one."""
    return tuple(values)


@contextmanager
def scope() -> Iterator[None]:
    """A block that changes nothing."""
    yield


def result(text: str, init: Sequence[object], call: Sequence[object]) -> tuple[str, list[object]]:
    """Where ``Block`` of ``text`` raised (``init``, ``call`` or nowhere), and what two calls gave: the exception, or the
    layers that were applied, numbered from 0 in each call."""
    names: dict[str, Any] = {one.__name__: one for one in (Layer, Dense, Dropout, total, scope)}
    body = "\n".join("" if line.startswith("from tensorflow") else line for line in text.split("\n"))
    exec(compile(body, "block", "exec"), names)
    stage = "init"
    try:
        block = names["Block"](*_copied(init))
        stage = "call"
        results = [block.call("x", *_copied(call)) for _ in range(2)]
    except Exception as error:
        return stage, [f"{type(error).__name__}: {error}"]
    return "", [_numbered(one, {}) for one in results]


def _copied(values: Sequence[object]) -> list[object]:
    return [list(value) if isinstance(value, list) else value for value in values]


def _numbered(value: object, seen: dict[int, int]) -> object:
    if isinstance(value, tuple):
        return tuple(_numbered(one, seen) for one in value)
    if isinstance(value, Applied):
        below = _numbered(value.x, seen)
        return value.layer.made, seen.setdefault(id(value.layer), len(seen)), below
    return value
