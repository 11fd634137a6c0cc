import random

import tensorflow as tf
from tensorflow import keras


class Block(keras.layers.Layer):
    def __init__(self, rate=0.5):
        super().__init__()
        self.rate = rate
        self.dense = keras.layers.Dense(4)

    def call(self, x, training=None):
        # Now and then without the bias.
        if training and random.random() < self.rate:
            x = self.dense(x)
        if random.random() < self.rate:
            # Both at once.
            y = x * 2.0
            x = y + 1.0  # and one more
        else:
            y = x
        return x + y
