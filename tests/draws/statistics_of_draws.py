"""Two-sample tests with numpy alone: Kolmogorov-Smirnov for continuous draws, chi-square for whole numbers."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

ALPHA = 1e-5
"""Chance that one comparison of two samples of one distribution fails; seeds are fixed, so it fails always or never."""
Sample = NDArray[np.float64]


def ks_excess(one: Sample, other: Sample) -> float:
    """Largest distance of the two distribution functions, over what chance allows at :data:`ALPHA`; above 1: different."""
    one, other = np.sort(one), np.sort(other)
    both = np.concatenate([one, other])
    above = np.searchsorted(one, both, side="right") / len(one)
    below = np.searchsorted(other, both, side="right") / len(other)
    distance = float(np.abs(above - below).max())
    scale = math.sqrt((len(one) + len(other)) / (len(one) * len(other)))
    return distance / (math.sqrt(-math.log(ALPHA / 2) / 2) * scale)


def chi_square_excess(one: Sample, other: Sample) -> float:
    """Pearson's statistic of the counts of each value, over its critical value at :data:`ALPHA`; above 1: different.

    Values that are rare are counted together.
    """
    values = np.union1d(one, other)
    counts = np.array([[np.sum(sample == value) for value in values] for sample in (one, other)], dtype=float)
    rare = counts.sum(axis=0) < 20
    if rare.any():
        counts = np.concatenate([counts[:, ~rare], counts[:, rare].sum(axis=1, keepdims=True)], axis=1)
    counts = counts[:, counts.sum(axis=0) > 0]
    if counts.shape[1] == 1:
        return 0.0
    expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0) / counts.sum()
    statistic = float(((counts - expected) ** 2 / expected).sum())
    return statistic / critical_chi_square(counts.shape[1] - 1)


def critical_chi_square(freedom: int) -> float:
    """The value that chi-square exceeds with probability :data:`ALPHA` (Wilson and Hilferty's approximation)."""
    quantile = NormalDist().inv_cdf(1 - ALPHA)
    part = 2 / (9 * freedom)
    return float(freedom * (1 - part + quantile * math.sqrt(part)) ** 3)
