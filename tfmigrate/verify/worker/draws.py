"""Random ops routed through stateless Philox ops with pinned seeds, so that eager, graph and XLA draw the
same numbers.

The stateful ops all go through ``gen_random_ops``; the stateless ones pick an algorithm by device unless told
otherwise."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow.python.ops import gen_random_ops, random_ops_util, stateful_random_ops

from tfmigrate.verify.worker.pins import ACTIVE

Draw = Callable[..., Any]


def install() -> None:
    """Patch the ops. To be called once, through :func:`tfmigrate.verify.worker.patches.install`."""
    for name, draw in _DRAWS.items():
        _route(gen_random_ops, name, draw)
    _route(stateful_random_ops, "non_deterministic_ints", _ints)
    _philox()
    _numpy()


def _route(module: Any, name: str, draw: Draw) -> None:
    original = getattr(module, name)

    @functools.wraps(original)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        pins = ACTIVE.get()
        if pins is None:
            return original(*args, **kwargs)
        for ignored in ("seed", "seed2", "name"):
            kwargs.pop(ignored, None)
        return draw(tf.constant(pins.draw_seed(f"{name} {_rank(name, args)}"), tf.int32), *args, **kwargs)

    setattr(module, name, wrapper)


def _rank(name: str, args: tuple[Any, ...]) -> Any:
    """The rank that is asked for: draws of other ranks do not move a draw's number. Sizes and values would differ:
    an eager run knows them all, a graph only those that are static."""
    if not args:
        return ""
    shape = tf.convert_to_tensor(args[0]).shape
    return shape.rank if name in _TAKE_VALUES else tf.TensorShape(shape[:1]).num_elements()


def _uniform(seed: Any, shape: Any, dtype: Any) -> Any:
    return tf.random.stateless_uniform(shape, seed, dtype=dtype)


def _uniform_int(seed: Any, shape: Any, minval: Any, maxval: Any) -> Any:
    dtype = tf.convert_to_tensor(minval).dtype
    return tf.random.stateless_uniform(shape, seed, minval, maxval, dtype)


def _normal(seed: Any, shape: Any, dtype: Any) -> Any:
    return tf.random.stateless_normal(shape, seed, dtype=dtype)


def _truncated(seed: Any, shape: Any, dtype: Any) -> Any:
    return tf.random.stateless_truncated_normal(shape, seed, dtype=dtype)


def _shuffle(seed: Any, value: Any) -> Any:
    value = tf.convert_to_tensor(value)
    order = tf.random.stateless_uniform([tf.shape(value)[0]], seed)
    return tf.gather(value, tf.argsort(order))


def _multinomial(seed: Any, logits: Any, num_samples: Any, output_dtype: Any = tf.int64) -> Any:
    return tf.random.stateless_categorical(logits, num_samples, seed, output_dtype)


def _gamma(seed: Any, shape: Any, alpha: Any) -> Any:
    alpha = tf.convert_to_tensor(alpha)
    full = tf.concat([shape, tf.shape(alpha)], 0)
    return tf.random.stateless_gamma(full, seed, alpha, dtype=alpha.dtype)


def _poisson(seed: Any, shape: Any, rate: Any, dtype: Any = tf.int64) -> Any:
    full = tf.concat([shape, tf.shape(rate)], 0)
    return tf.random.stateless_poisson(full, seed, rate, dtype)


def _ints(seed: Any, shape: Any, dtype: Any = tf.int64) -> Any:
    return tf.random.stateless_uniform(shape, seed, None, None, dtype)


_MASK = (1 << 32) - 1
_TAKE_VALUES = frozenset({"random_shuffle", "multinomial"})
"""Their first argument is what to draw from, all others' is a shape."""

_DRAWS: dict[str, Draw] = {
    "random_uniform": _uniform,
    "random_uniform_int": _uniform_int,
    "random_standard_normal": _normal,
    "truncated_normal": _truncated,
    "random_shuffle": _shuffle,
    "multinomial": _multinomial,
    "random_gamma": _gamma,
    "random_poisson_v2": _poisson,
}


def _philox() -> None:
    """``alg="auto_select"`` means another algorithm under XLA."""
    original = random_ops_util.get_key_counter_alg

    @functools.wraps(original)
    def wrapper(seed: Any, alg: Any) -> Any:
        if ACTIVE.get() is not None and (alg is None or alg == "auto_select"):
            seed = tf.convert_to_tensor(seed)  # perhaps a pair, one of them a tensor
            known = tf.get_static_value(seed)
            if known is None:
                return original(seed, "philox")
            key, counter = scrambled(int(known[0]), int(known[1]))
            number = random_ops_util.convert_alg_to_int("philox")
            # Arrays: TensorFlow itself takes large integers for floats when it makes a graph.
            return tf.constant(np.array([key], np.uint64)), tf.constant(np.array(counter, np.uint64)), number
        return original(seed, alg)

    random_ops_util.get_key_counter_alg = wrapper


def scrambled(first: int, second: int) -> tuple[int, list[int]]:
    """Key and counter for the seed (``first``, ``second``), as TensorFlow's ``_philox_scramble_seed`` makes them with some
    twenty operations: Philox4x32-10 (Salmon et al., 2011, https://doi.org/10.1145/2063384.2063405)."""
    low, high = first % (1 << 64), second % (1 << 64)
    counter = [low & _MASK, low >> 32, high & _MASK, high >> 32]
    keys = [0x3EC8F720, 0x02461E29]
    for _ in range(10):
        one, two = counter[0] * 0xD2511F53, counter[2] * 0xCD9E8D57
        counter = [
            (two >> 32) ^ counter[1] ^ keys[0],
            two & _MASK,
            (one >> 32) ^ counter[3] ^ keys[1],
            one & _MASK,
        ]
        keys = [(keys[0] + 0x9E3779B9) & _MASK, (keys[1] + 0xBB67AE85) & _MASK]
    return counter[0] | counter[1] << 32, [0, counter[2] | counter[3] << 32]


def _numpy() -> None:
    """``np.random.default_rng()`` without a seed."""
    original = np.random.default_rng

    @functools.wraps(original)
    def default_rng(seed: Any = None) -> np.random.Generator:
        pins = ACTIVE.get()
        if seed is None and pins is not None:
            seed = pins.draw_seed()
        return original(seed)

    np.random.default_rng = default_rng
