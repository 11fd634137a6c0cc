import numpy as np
import tensorflow.compat.v2 as tf

TABLE = np.arange(3)
rng = tf.random.Generator.from_seed(4)


class Jitter(tf.keras.layers.Layer):
    def call(self, x):
        return (
            x
            + rng.normal([1], 0.0, 0.1, dtype=x.dtype)
            + (-tf.math.log1p(-tf.random.uniform([], dtype=x.dtype)) / 2.0)
        )
