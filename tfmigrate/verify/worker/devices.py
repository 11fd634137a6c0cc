"""Which device kinds TensorFlow sees. Runs in a child: listing devices starts their drivers."""

from __future__ import annotations

import tensorflow as tf


def kinds(_: object) -> tuple[str, ...]:
    """``("CPU", "GPU")``."""
    return tuple(sorted({device.device_type for device in tf.config.list_physical_devices()}))
