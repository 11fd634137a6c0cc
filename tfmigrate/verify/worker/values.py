"""Pinned numbers: pseudo-random values from a name, never constant, of both signs. numpy only."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def generator(seed: int, name: str) -> np.random.Generator:
    """A generator of its own for each name."""
    digest = hashlib.blake2b(f"{seed}|{name}".encode(), digest_size=16).digest()
    return np.random.Generator(np.random.Philox(key=int.from_bytes(digest, "little")))


def seed_pair(seed: int, name: str) -> tuple[int, int]:
    """Two non-negative 31-bit numbers for TensorFlow's stateless ops."""
    digest = hashlib.blake2b(f"{seed}|{name}".encode(), digest_size=8).digest()
    return int.from_bytes(digest[:4], "little") >> 1, int.from_bytes(digest[4:], "little") >> 1


def weights(seed: int, name: str, shape: Sequence[int]) -> Array:
    """Uniform values in the range of a Glorot initialiser."""
    receptive = math.prod(shape[:-2]) if len(shape) > 2 else 1
    fans = (shape[-2] + shape[-1]) * receptive if len(shape) > 1 else 2 * (shape[0] if shape else 1)
    bound = math.sqrt(6.0 / max(1, fans))
    drawn: Array = generator(seed, name).uniform(-bound, bound, tuple(shape))
    return drawn


def noise(seed: int, name: str, shape: Sequence[int]) -> Array:
    """Values with magnitudes in [0.5, 1] and either sign."""
    source = generator(seed, name)
    drawn: Array = source.uniform(0.5, 1.0, tuple(shape)) * source.choice((-1.0, 1.0), tuple(shape))
    return drawn


def perturbed(initial: npt.NDArray[np.generic], seed: int, name: str) -> Array:
    """``initial`` moved so far that a variable which is dropped, or is another one's, shows in the outputs.

    Zeros become about 0.1 of either sign; other values move by up to a fifth and keep their sign; tiny ones
    (a layer scale of 1e-6) grow to about 0.1, else what they scale would stay below every tolerance."""
    start = np.asarray(initial, np.float64)
    move = noise(seed, name, start.shape)
    tiny = np.sign(start) * (0.1 + 0.05 * move)
    result = np.where(np.abs(start) < 1e-2, tiny, start * (1.0 + 0.2 * move))
    moved: Array = np.where(start == 0.0, 0.1 * move, result)
    return moved
