import random as rd

import tensorflow as tf


class Noise(tf.keras.layers.Layer):
    def __init__(self, spread=0.1):
        super().__init__()
        self.spread = spread

    def call(self, x, training=None):
        x = x * rd.uniform(1 - self.spread, 1 + self.spread)
        x += rd.gauss(0.0, self.spread)
        x = x + rd.randint(0, 3)
        return x - rd.triangular()
