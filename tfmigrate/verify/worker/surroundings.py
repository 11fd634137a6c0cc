"""What holds for a whole arm before the user's code is imported: precision, determinism, replicas."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tfmigrate.verify.model import ArmJob, Precision, Strategy
from tfmigrate.verify.worker.replicas import mirrored


def enter(job: ArmJob) -> Any:
    """Set up this process, which has run no operation yet. The strategy to run under, or None.

    Products in TensorFloat-32 have ten bits: they are off. Operations are to give the same bits in each run, where
    TensorFlow has such (``job.deterministic``).
    """
    tf.config.experimental.enable_tensor_float_32_execution(False)
    if job.deterministic:
        tf.config.experimental.enable_op_determinism()
        tf.random.set_seed(job.seed)  # Without one, unseeded draws raise.
    if job.precision is not Precision.FLOAT32:
        tf.keras.mixed_precision.set_global_policy(job.precision.value)
    return mirrored() if job.strategy is Strategy.MIRRORED else None
