import random

import numpy as np
import tensorflow.compat.v2 as tf

TABLE = np.arange(3)
rng = np.random.RandomState(4)


class Jitter(tf.keras.layers.Layer):
    def call(self, x):
        return x + rng.normal(0.0, 0.1, size=(1,)) + random.expovariate(2.0)
