"""Random numbers that depend on the place of a draw, the call of the subject, and how often the place has drawn in it.

They are the same for Python, NumPy and TensorFlow, eagerly, in a graph and under XLA: each is a hash in integer arithmetic
that both libraries do exactly. In a graph the call and the count are read from variables when it runs; a number that was
drawn while the graph was traced stays what it was.

Not all are random. Of one draw's first numbers, every fourth is the largest there is and every fourth the smallest: there
wrong bounds show, and both arms of a branch are taken. Larger draws have some of both.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
import tensorflow as tf

_WORD = 1 << 32
_GRID = 1 << 24
"""Uniform numbers are multiples of 1 / _GRID in (0, 1), which float32 holds exactly."""

_AT_ONCE = 1 << 16
"""So many numbers are put into a graph as they are, instead of thirty operations that give them."""


class Streams:
    """The numbers of one run of one subject."""

    def __init__(self, seed: int, numbers: Iterable[int]) -> None:
        self._seed = seed
        self._call = tf.Variable(0, dtype=tf.int64, trainable=False)
        self._counts = {number: tf.Variable(0, dtype=tf.int64, trainable=False) for number in numbers}
        self._drawn = Counter[int]()
        self._number = 0
        self.places: set[int] = set()
        """Places that drew."""
        self.frozen: set[int] = set()
        """Places that drew while a graph was traced, and not in it."""
        self.unpinned: set[str] = set()
        """Functions that drew their own numbers at a place: there is nothing to pin them to."""

    @property
    def variables(self) -> list[tf.Variable]:
        """What draws in a graph read their call and count from."""
        return [self._call, *self._counts.values()]

    def start(self, number: int) -> None:
        """A call of the subject from outside begins."""
        self._number = number
        self._drawn.clear()
        if not tf.executing_eagerly():
            return
        self._call.assign(number)
        for count in self._counts.values():
            count.assign(0)

    def array(self, place: int, shape: tuple[int, ...]) -> Any:
        """The next numbers of ``place`` as NumPy words, drawn now; the first comes with its phase."""
        self.places.add(place)
        if not tf.executing_eagerly():
            self.frozen.add(place)
        key = place if tf.executing_eagerly() else -1 - place
        count, self._drawn[key] = self._drawn[key], self._drawn[key] + 1
        index = np.arange(int(np.prod(shape, dtype=np.int64)), dtype=np.int64)
        words, phase = self._words(place, np.int64(self._number), np.int64(count), index)
        return Words(words.reshape(shape), index.reshape(shape), phase, np)

    def tensor(self, place: int, shape: Any) -> Any:
        """The next numbers of ``place`` as words of TensorFlow's, drawn when the graph runs."""
        self.places.add(place)
        variable = self._counts[place]
        count = variable.read_value()
        variable.assign_add(1)
        index = tf.range(tf.cast(tf.reduce_prod(shape), tf.int64), dtype=tf.int64)
        words, phase = self._words(place, self._call.read_value(), count, index)
        return Words(tf.reshape(words, shape), tf.reshape(index, shape), phase, tf), count

    def _words(self, place: int, call: Any, count: Any, index: Any) -> tuple[Any, Any]:
        key = zlib.crc32(f"{self._seed}/{place}".encode())
        word = _mixed(_mixed((key + call * 0x1F123BB5) % _WORD) + count * 0x159A55E5)
        return _mixed(word + index * 0x1B873593), (call + count + place) % 4


class Ends:
    """The numbers of a run in which every draw gives the largest number that it can, or the smallest."""

    def __init__(self, largest: bool) -> None:
        self._phase = np.int64(1 if largest else 3)
        self.unpinned: set[str] = set()

    def array(self, place: int, shape: tuple[int, ...]) -> Words:
        """As of :class:`Streams`; what is shuffled stays in order."""
        words = np.arange(int(np.prod(shape, dtype=np.int64)), dtype=np.int64).reshape(shape)
        return Words(words, np.zeros_like(words), self._phase, np)

    def tensor(self, place: int, shape: Any) -> Any:
        """As of :class:`Streams`."""
        count = tf.constant(0, tf.int64)
        words = tf.reshape(tf.range(tf.cast(tf.reduce_prod(shape), tf.int64), dtype=tf.int64), shape)
        return Words(words, tf.zeros_like(words), tf.constant(self._phase), tf), count


class Words:
    """Words of 32 bits, from which numbers of any distribution are made."""

    def __init__(self, words: Any, index: Any, phase: Any, library: Any) -> None:
        self.words = words
        self._index = index
        self._phase = phase
        self._library = library

    def uniform(self) -> Any:
        """Numbers in (0, 1), as float64."""
        where, spread = self._library.where, self.words % 32
        ends = where(spread == 0, 1, where(spread == 1, 3, 0))
        ends = where(self._index == 0, self._phase, self._cast(ends, self._phase))
        middle = self._library.maximum(self.words // 256, 1)
        grid = where(
            ends == 1, self._cast(_GRID - 1, middle), where(ends == 3, self._cast(1, middle), middle)
        )
        return self._float(grid) / _GRID

    def normal(self) -> Any:
        """Numbers of mean 0 and deviation 1: the logistic distribution's, whose quantiles are simple in both libraries."""
        uniform = self.uniform()
        log = self._library.math.log if self._library is tf else np.log
        return 0.5513288954217920 * (log(uniform) - log(1.0 - uniform))

    def gamma(self, shape: Any) -> Any:
        """Numbers that stand for gamma draws: positive, larger for a larger ``shape``."""
        return shape * self._library.exp(self.normal() / self._library.sqrt(1.0 + shape))

    def poisson(self, rate: Any) -> Any:
        """Numbers that stand for Poisson draws: whole, about ``rate``."""
        zero = self._cast(0, rate) if self._library is tf else 0.0
        return self._library.floor(
            self._library.maximum(rate + self._library.sqrt(rate) * self.normal(), zero)
        )

    def _float(self, value: Any) -> Any:
        return tf.cast(value, tf.float64) if self._library is tf else np.asarray(value, np.float64)

    def _cast(self, value: Any, like: Any) -> Any:
        return tf.cast(value, like.dtype) if self._library is tf else value


def factors(seed: int, name: str, shape: Any) -> Any:
    """Fixed numbers in (-1, 1) as a float64 tensor of ``shape``, which may be a tensor.

    Not TensorFlow's stateless draws: under XLA these give other numbers for a shape that it does not know
    (``tf.shape`` of a stacked ``TensorArray``; TensorFlow 2.21), whatever their ``alg``.
    """
    start, known = zlib.crc32(f"{seed}/{name}".encode()), tf.get_static_value(shape)
    if known is not None and np.prod(known, dtype=np.int64) <= _AT_ONCE:
        words = _mixed(start + np.arange(np.prod(known, dtype=np.int64), dtype=np.int64) * 0x1B873593)
        return tf.constant((words.astype(np.float64) + 0.5) / (_WORD / 2) - 1.0, shape=known)
    index = tf.range(tf.cast(tf.reduce_prod(shape), tf.int64), dtype=tf.int64)
    words = _mixed(start + index * 0x1B873593)
    return tf.reshape((tf.cast(words, tf.float64) + 0.5) / (_WORD / 2) - 1.0, shape)


def _mixed(word: Any) -> Any:
    """A word whose bits all depend on all bits of the last 32 of ``word``, which is not negative."""
    word = word % _WORD
    for shift, factor in ((1 << 16, 0x7FEB352D), (1 << 15, 0x2C1B3C6D), (1 << 12, 0x297A2D39)):
        word = (word ^ (word // shift)) * factor % _WORD
    return word ^ (word // (1 << 15))
