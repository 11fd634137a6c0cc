# refused: generator
import random

import numpy as np
import tensorflow as tf


class Noise(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.rng = np.random.default_rng(1)
        self.first = self.rng.normal()

    def call(self, x):
        return x + self.rng.normal()
