import tensorflow as tf


class Noise(tf.keras.layers.Layer):
    def __init__(self, spread=0.1):
        super().__init__()
        self.spread = spread

    def call(self, x, training=None):
        x = x * tf.random.uniform([], 1 - self.spread, 1 + self.spread, dtype=x.dtype)
        x += tf.random.normal([], 0.0, self.spread, dtype=x.dtype)
        x = x + tf.cast(tf.random.uniform([], 0, 4, dtype=tf.int32), x.dtype)
        return x - ((tf.random.uniform([], dtype=x.dtype) + tf.random.uniform([], dtype=x.dtype)) / 2)
