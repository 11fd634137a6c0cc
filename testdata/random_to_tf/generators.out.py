import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

np.random.seed(7)
tf.random.set_seed(7)


class Seeded(layers.Layer):
    def __init__(self, sigma=1.0, seed=3, **kwargs):
        super().__init__(**kwargs)
        self.sigma = sigma
        self.rng = tf.random.Generator.from_seed(seed)

    def call(self, x):
        noise = self.rng.normal(tf.shape(x), 0.0, self.sigma, dtype=x.dtype)
        return x + noise


class Unseeded(layers.Layer):
    def call(self, x):
        return x * tf.random.uniform([], 0.9, 1.1, dtype=x.dtype) + tf.cast(
            tf.random.uniform([], 0, 2, dtype=tf.int32), x.dtype
        )
