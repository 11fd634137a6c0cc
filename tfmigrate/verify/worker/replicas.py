"""A subject on two replicas of a ``tf.distribute.MirroredStrategy``, each of which gets the whole input."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

REPLICAS = 2


def mirrored() -> Any:
    """A strategy over two GPUs, or over two logical devices of the CPU. Before the first operation only."""
    if len(tf.config.list_physical_devices("GPU")) >= REPLICAS:
        return tf.distribute.MirroredStrategy([f"GPU:{number}" for number in range(REPLICAS)])
    tf.config.set_visible_devices([], "GPU")
    cpu = tf.config.list_physical_devices("CPU")[0]
    tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * REPLICAS)
    return tf.distribute.MirroredStrategy([f"CPU:{number}" for number in range(REPLICAS)])


def spread_over(strategy: Any, body: Callable[..., Any]) -> Callable[..., Any]:
    """``body`` on all replicas."""
    return lambda *args: strategy.run(body, args)


def of_all_replicas(strategy: Any, value: Any) -> Any:
    """The tensor that all replicas gave.

    Raises:
        ReplicasDiffer: they gave different ones.
    """
    first, *others = strategy.experimental_local_results(value)
    for number, other in enumerate(others, 1):
        if not np.array_equal(np.asarray(first), np.asarray(other), equal_nan=first.dtype.is_floating):
            raise ReplicasDiffer(f"replica {number} gives another result for the same input than replica 0")
    return first


class ReplicasDiffer(Exception):
    """Replicas with the same input and the same weights gave different outputs."""
