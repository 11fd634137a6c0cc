import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

np.random.seed(7)


class Seeded(layers.Layer):
    def __init__(self, sigma=1.0, seed=3, **kwargs):
        super().__init__(**kwargs)
        self.sigma = sigma
        self.rng = np.random.default_rng(seed)

    def call(self, x):
        noise = self.rng.normal(0.0, self.sigma, size=x.shape)
        return x + noise.astype("float32")


class Unseeded(layers.Layer):
    def call(self, x):
        rng = np.random.default_rng()
        return x * rng.uniform(0.9, 1.1) + rng.integers(0, 2)
