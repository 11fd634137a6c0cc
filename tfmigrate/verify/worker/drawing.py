"""Draws whose places are numbered (:mod:`tfmigrate.verify.sites`) take their numbers from one stream, whoever draws.

The draw itself is made too, and thrown away: what it raises, and the type and shape of its result, stay the function's own.
Stand-ins follow the libraries' documentation, by the inverse of the distribution where it is simple.
https://docs.python.org/3/library/random.html https://numpy.org/doc/stable/reference/random/legacy.html
"""

from __future__ import annotations

import builtins
import math
import random
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

import numpy as np
import tensorflow as tf

from tfmigrate.verify.sites import MARK
from tfmigrate.verify.worker.pins import ACTIVE
from tfmigrate.verify.worker.streams import Ends, Streams, Words

ENDS: ContextVar[Ends | None] = ContextVar("tfmigrate_ends", default=None)
"""What numbered draws give outside of arms."""


def install() -> None:
    """Make the mark of numbered draws a built-in function."""
    setattr(builtins, MARK, site)


def site(function: Any, *numbers: int) -> Any:
    """What is called in the place of ``function``: itself, if it is no draw that is known."""
    pins = ACTIVE.get()
    streams = pins.streams if pins is not None else ENDS.get()
    make = _stand_in(function, streams) if streams is not None else None
    if streams is None or make is None:
        return function

    def drawn(*args: Any, **kwargs: Any) -> Any:
        return make(Place(streams, numbers), function, args, kwargs)

    drawn.autograph_info__ = {}  # type: ignore[attr-defined]
    return drawn


site.autograph_info__ = {}  # type: ignore[attr-defined]  # AutoGraph calls it as it is


class Place:
    """The numbers of one draw."""

    def __init__(self, streams: Streams | Ends, numbers: tuple[int, ...]) -> None:
        self._streams = streams
        self._left = list(numbers)

    def array(self, shape: Any = ()) -> Words:
        """The next numbers as an array."""
        words: Words = self._streams.array(self._next(), tuple(shape))
        return words

    def tensor(self, shape: Any) -> tuple[Words, Any]:
        """The next numbers as a tensor, and a count that is never negative."""
        found: tuple[Words, Any] = self._streams.tensor(self._next(), shape)
        return found

    def uniform(self, shape: Any = ()) -> Any:
        """The next numbers of an array, in (0, 1)."""
        return self.array(shape).uniform()

    def _next(self) -> int:
        return self._left.pop(0) if len(self._left) > 1 else self._left[0]


Make = Callable[[Place, Any, tuple[Any, ...], dict[str, Any]], Any]


def _stand_in(function: Any, streams: Streams | Ends) -> Make | None:
    owner = getattr(function, "__self__", None)
    name = getattr(function, "__name__", "")
    if isinstance(owner, random.Random):
        return _known(_PYTHON, name, f"random.{name}", streams)
    if isinstance(owner, np.random.RandomState | np.random.Generator):
        return _known(_NUMPY, name, f"numpy.random.{name}", streams)
    if function is np.random.ranf or function is np.random.sample:
        return _numpy("random_sample")
    if isinstance(owner, tf.random.Generator):
        return _GENERATOR.get(name)
    return next((make for known, make in _TENSORFLOW if known is function), None)


def _known(table: dict[str, Make], name: str, full: str, streams: Streams | Ends) -> Make | None:
    if name in _NO_DRAWS:
        return None
    if name not in table:
        streams.unpinned.add(full)
    return table.get(name)


_NO_DRAWS = frozenset({"seed", "getstate", "setstate", "get_state", "set_state", "spawn"})


# -- Python's -----------------------------------------------------------------------------------------------------


def _python(draw: Callable[..., Any]) -> Make:
    def make(place: Place, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        function(*args, **kwargs)
        return draw(place, *args, **kwargs)

    return make


def _u(place: Place) -> float:
    return float(place.uniform())


def _z(place: Place) -> float:
    return float(place.array().normal())


def _below(place: Place, count: Any) -> int:
    return math.floor(_u(place) * int(count))


def _randrange(place: Place, start: Any, stop: Any = None, step: Any = 1) -> int:
    options = range(int(start)) if stop is None else range(int(start), int(stop), int(step))
    return options[_below(place, len(options))]


def _order(words: Any) -> Any:
    return np.argsort(words // 2, kind="stable")


def _sample(place: Place, population: Any, k: int, **more: Any) -> list[Any]:
    order = _order(place.array((len(population),)).words)
    return [population[int(number)] for number in order[:k]]


def _choices(
    place: Place, population: Any, weights: Any = None, *, cum_weights: Any = None, k: int = 1
) -> Any:
    uniform = place.uniform((k,))
    if weights is None and cum_weights is None:
        return [population[int(number)] for number in np.floor(uniform * len(population))]
    total = np.asarray(cum_weights if weights is None else np.cumsum(weights), np.float64)
    return [population[int(number)] for number in _picked(uniform, total / total[-1])]


def _picked(uniform: Any, cumulated: Any) -> Any:
    return np.minimum(np.searchsorted(cumulated, uniform, side="right"), len(cumulated) - 1)


def _shuffle(place: Place, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """In place, along the first axis."""
    items = args[0] if args else next(iter(kwargs.values()))
    before = items.copy() if hasattr(items, "copy") else list(items)
    result = function(*args, **kwargs)
    for number, source in enumerate(_order(place.array((len(before),)).words)):
        items[number] = before[int(source)]
    return result


def _beta(place: Place, a: Any, b: Any, shape: Any = ()) -> Any:
    """As a quotient of two gamma draws, each with one more than its parameter, and two uniform draws for the difference."""
    first, second = place.array(shape).gamma(a + 1.0), place.array(shape).gamma(b + 1.0)
    odds = np.log(first / second) + np.log1p(-place.uniform(shape)) / a - np.log1p(-place.uniform(shape)) / b
    return 1.0 / (1.0 + np.exp(-odds))


_PYTHON: dict[str, Make] = {
    "random": _python(_u),
    "uniform": _python(lambda place, a, b: a + (b - a) * _u(place)),
    "randint": _python(lambda place, a, b: int(a) + _below(place, int(b) - int(a) + 1)),
    "randrange": _python(_randrange),
    "getrandbits": _python(lambda place, k: _below(place, 2**k)),
    "gauss": _python(lambda place, mu=0.0, sigma=1.0: mu + _z(place) * sigma),
    "normalvariate": _python(lambda place, mu=0.0, sigma=1.0: mu + _z(place) * sigma),
    "lognormvariate": _python(lambda place, mu=0.0, sigma=1.0: math.exp(mu + _z(place) * sigma)),
    "expovariate": _python(lambda place, lambd=1.0: -math.log1p(-_u(place)) / lambd),
    "weibullvariate": _python(lambda place, alpha, beta: alpha * (-math.log1p(-_u(place))) ** (1.0 / beta)),
    "paretovariate": _python(lambda place, alpha: (1.0 - _u(place)) ** (-1.0 / alpha)),
    "triangular": _python(
        lambda place, low=0.0, high=1.0, mode=None: low + (high - low) * (_u(place) + _u(place)) / 2
    ),
    "betavariate": _python(lambda place, alpha, beta: float(_beta(place, alpha, beta))),
    "gammavariate": _python(lambda place, alpha, beta: float(place.array().gamma(alpha)) * beta),
    "choice": _python(lambda place, seq: seq[_below(place, len(seq))]),
    "choices": _python(_choices),
    "sample": _python(_sample),
    "shuffle": _shuffle,
}


# -- NumPy's ------------------------------------------------------------------------------------------------------


def _numpy(name: str) -> Make:
    draw = getattr(_Numpy, name)

    def make(place: Place, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        real = function(*args, **kwargs)
        value = draw(_Numpy(place, np.shape(real)), *args, **kwargs)
        return value if real is None else _like(real, value)

    return make


def _like(real: Any, value: Any) -> Any:
    """``value`` in the type of what the function itself returned."""
    if isinstance(real, np.ndarray):
        return np.asarray(value).astype(real.dtype).reshape(real.shape)
    return type(real)(np.asarray(value).item()) if isinstance(real, int | float | np.generic) else value


class _Numpy:
    """Functions of ``numpy.random``, by name. ``size`` is known from what the real function returned."""

    def __init__(self, place: Place, shape: tuple[int, ...]) -> None:
        self._place = place
        self._shape = shape

    def _u(self) -> Any:
        return self._place.uniform(self._shape)

    def _z(self) -> Any:
        return self._place.array(self._shape).normal()

    def _e(self) -> Any:
        return -np.log1p(-self._u())

    def random(self, *_: Any, **__: Any) -> Any:
        return self._u()

    rand = random_sample = random

    def standard_normal(self, *_: Any, **__: Any) -> Any:
        return self._z()

    randn = standard_normal

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        low, high = np.asarray(low, np.float64), np.asarray(high, np.float64)
        return low + (high - low) * self._u()

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        return np.asarray(loc) + np.asarray(scale) * self._z()

    def lognormal(self, mean: Any = 0.0, sigma: Any = 1.0, size: Any = None) -> Any:
        return np.exp(np.asarray(mean) + np.asarray(sigma) * self._z())

    def standard_exponential(self, *_: Any, **__: Any) -> Any:
        return self._e()

    def exponential(self, scale: Any = 1.0, size: Any = None) -> Any:
        return np.asarray(scale) * self._e()

    def laplace(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        return np.asarray(loc) + np.asarray(scale) * (self._e() * -1.0 + self._e())

    def rayleigh(self, scale: Any = 1.0, size: Any = None) -> Any:
        return np.asarray(scale) * np.sqrt(2.0 * self._e())

    def weibull(self, a: Any, size: Any = None) -> Any:
        return self._e() ** (1.0 / np.asarray(a))

    def pareto(self, a: Any, size: Any = None) -> Any:
        return np.expm1(self._e() / np.asarray(a))

    def power(self, a: Any, size: Any = None) -> Any:
        return self._u() ** (1.0 / np.asarray(a))

    def binomial(self, n: Any, p: Any, size: Any = None) -> Any:
        trials = np.asarray(n)
        return np.where(self._u() < np.asarray(p), trials, np.maximum(trials - 1, 0) * 0)

    def poisson(self, lam: Any = 1.0, size: Any = None) -> Any:
        return self._place.array(self._shape).poisson(np.asarray(lam, np.float64))

    def standard_gamma(self, shape: Any, size: Any = None, **_: Any) -> Any:
        return self._place.array(self._shape).gamma(np.asarray(shape, np.float64))

    def gamma(self, shape: Any, scale: Any = 1.0, size: Any = None) -> Any:
        return np.asarray(scale) * self.standard_gamma(shape)

    def chisquare(self, df: Any, size: Any = None) -> Any:
        return 2.0 * self.standard_gamma(np.asarray(df) / 2.0)

    def beta(self, a: Any, b: Any, size: Any = None) -> Any:
        return _beta(self._place, np.asarray(a, np.float64), np.asarray(b, np.float64), self._shape)

    def dirichlet(self, alpha: Any, size: Any = None) -> Any:
        parts = self.standard_gamma(alpha)
        return parts / parts.sum(-1, keepdims=True)

    def multinomial(self, n: Any, pvals: Any, size: Any = None) -> Any:
        numbers = _picked(self._place.uniform((int(n),)), np.cumsum(pvals))
        return np.bincount(numbers, minlength=len(pvals))

    def randint(self, low: Any, high: Any = None, size: Any = None, dtype: Any = None) -> Any:
        low, high = (0, low) if high is None else (low, high)
        low, high = np.asarray(low, np.int64), np.asarray(high, np.int64)
        return low + np.floor((high - low) * self._u()).astype(np.int64)

    def integers(
        self, low: Any, high: Any = None, size: Any = None, dtype: Any = None, endpoint: bool = False
    ) -> Any:
        low, high = (0, low) if high is None else (low, high)
        return self.randint(low, np.asarray(high) + int(endpoint))

    def permutation(self, x: Any, axis: int = 0) -> Any:
        items = np.arange(x) if np.ndim(x) == 0 else np.asarray(x)
        return np.take(items, _order(self._place.array((items.shape[axis],)).words), axis)

    def choice(
        self,
        a: Any,
        size: Any = None,
        replace: Any = True,
        p: Any = None,
        axis: int = 0,
        shuffle: bool = True,
    ) -> Any:
        items = np.arange(a) if np.ndim(a) == 0 else np.asarray(a)
        shape = () if size is None else tuple(np.atleast_1d(size))
        count, total = items.shape[axis], math.prod(shape)
        if not replace:
            numbers = _order(self._place.array((count,)).words)[:total].reshape(shape)
        elif p is not None:
            numbers = _picked(self._place.uniform(shape), np.cumsum(np.asarray(p, np.float64)))
        else:
            numbers = np.floor(self._place.uniform(shape) * count).astype(np.int64)
        return np.take(items, numbers, axis)


_NUMPY: dict[str, Make] = {
    **{name: _numpy(name) for name in vars(_Numpy) if not name.startswith("_")},
    "shuffle": _shuffle,
}


# -- TensorFlow's -------------------------------------------------------------------------------------------------


def _tensor(draw: Callable[..., Any]) -> Make:
    """``draw(place, real, shape, ...)`` in the place of a function of TensorFlow's."""

    def make(place: Place, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        token = ACTIVE.set(None)
        try:
            real = function(*args, **kwargs)
        finally:
            ACTIVE.reset(token)
        kwargs.pop("seed", None)
        value = draw(place, real, *args, **kwargs)
        value.set_shape(real.shape)
        return value

    return make


def _shape_of(real: Any) -> Any:
    known = real.shape
    return tf.constant(known.as_list(), tf.int32) if known.is_fully_defined() else tf.shape(real)


def _wide(value: Any) -> Any:
    """A parameter as float64, with its gradient."""
    return tf.cast(value, tf.float64)


def _tensor_uniform(
    place: Place, real: Any, shape: Any, minval: Any = 0, maxval: Any = None, *_: Any, **__: Any
) -> Any:
    uniform = place.tensor(_shape_of(real))[0].uniform()
    if real.dtype.is_integer:
        low, high = tf.cast(minval, tf.int64), tf.cast(maxval, tf.int64)
        return tf.cast(low + tf.cast(tf.floor(uniform * _wide(high - low)), tf.int64), real.dtype)
    low, high = _wide(minval), _wide(1 if maxval is None else maxval)
    return tf.cast(low + (high - low) * uniform, real.dtype)


def _tensor_normal(
    place: Place, real: Any, shape: Any, mean: Any = 0.0, stddev: Any = 1.0, *_: Any, **__: Any
) -> Any:
    normal = place.tensor(_shape_of(real))[0].normal()
    return tf.cast(_wide(mean) + _wide(stddev) * normal, real.dtype)


def _tensor_gamma(
    place: Place, real: Any, shape: Any, alpha: Any, beta: Any = None, *_: Any, **__: Any
) -> Any:
    words, count = place.tensor(_shape_of(real))
    value = words.gamma(_wide(alpha)) / _wide(1.0 if beta is None else beta)
    return tf.cast(value, real.dtype) + _nothing(count, real)


def _tensor_poisson(place: Place, real: Any, shape: Any, lam: Any, *_: Any, **__: Any) -> Any:
    words, count = place.tensor(_shape_of(real))
    return tf.cast(words.poisson(_wide(lam)), real.dtype) + _nothing(count, real)


def _tensor_categorical(place: Place, real: Any, logits: Any, *_: Any, **__: Any) -> Any:
    uniform = place.tensor(_shape_of(real))[0].uniform()
    cumulated = tf.cumsum(tf.nn.softmax(_wide(logits)), -1)
    passed = tf.cast(uniform[..., tf.newaxis] >= cumulated[:, tf.newaxis], real.dtype)
    return tf.minimum(tf.reduce_sum(passed, -1), tf.cast(tf.shape(cumulated)[-1] - 1, real.dtype))


def _tensor_shuffle(place: Place, real: Any, value: Any, *_: Any, **__: Any) -> Any:
    words, count = place.tensor(_shape_of(real)[:1])
    found = tf.gather(tf.convert_to_tensor(value), tf.argsort(words.words // 2, stable=True))
    return found + _nothing(count, real) if real.dtype.is_floating else found


def _nothing(count: Any, real: Any) -> Any:
    """Zeros that need ``real``: what XLA cannot compile, and what has no gradient, stays so."""
    return tf.cast(tf.minimum(count, 0), real.dtype) * real


_TENSORFLOW: tuple[tuple[Any, Make], ...] = (
    (tf.random.uniform, _tensor(_tensor_uniform)),
    (tf.random.normal, _tensor(_tensor_normal)),
    (tf.random.gamma, _tensor(_tensor_gamma)),
    (tf.random.poisson, _tensor(_tensor_poisson)),
    (tf.random.categorical, _tensor(_tensor_categorical)),
    (tf.random.shuffle, _tensor(_tensor_shuffle)),
)
_GENERATOR: dict[str, Make] = {"uniform": _tensor(_tensor_uniform), "normal": _tensor(_tensor_normal)}
