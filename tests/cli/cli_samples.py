"""What the tests of the command line share: small files to rewrite, and what a run came to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

NET = """import tensorflow as tf
from tensorflow import keras


class Net(keras.Model):
    def __init__(self, units):
        super().__init__()
        self.units = units

    def call(self, x):
        return keras.layers.Dense(self.units)(x)
"""
REFUSED = """from tensorflow import keras


class Sized(keras.layers.Layer):
    def __init__(self):
        super().__init__()

    def call(self, x, units):
        return keras.layers.Dense(units)(x)
"""
CLEAN = "import tensorflow as tf\n\n\ndef loss(x):\n    return tf.reduce_sum(x)\n"


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str
    raw: bytes


Tfmigrate = Callable[..., Done]
