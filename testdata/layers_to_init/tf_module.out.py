from tensorflow import keras
from tensorflow.keras import layers


import tensorflow as tf


class Step(tf.Module):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.dense = layers.Dense(3)

    @tf.function
    def __call__(self, x):
        return self.dense(x)


class Plain:
    def __init__(self):
        self.dense = layers.Dense(3)

    @tf.function
    def step(self, x):
        return self.dense(x)
