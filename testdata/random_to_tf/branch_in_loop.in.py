import random

import tensorflow as tf
from tensorflow import keras


class Walk(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(4)

    def step(self, x):
        return x + self.dense(x)

    def call(self, x, training=None):
        for _ in range(3):
            if random.random() < 0.5:
                x = self.step(x)
            else:
                half = x * 0.5
                x = half
        if random.choice([True, False]):
            x = -x
        if not training or random.getrandbits(1):
            x = x + 1.0
        return x
