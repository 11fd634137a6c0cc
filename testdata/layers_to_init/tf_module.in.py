from tensorflow import keras
from tensorflow.keras import layers


import tensorflow as tf


class Step(tf.Module):
    @tf.function
    def __call__(self, x):
        return layers.Dense(3)(x)


class Plain:
    @tf.function
    def step(self, x):
        return layers.Dense(3)(x)
