import tensorflow as tf
from keras import random
from tensorflow import random as tf_random


class Noise(tf.keras.layers.Layer):
    def call(self, x, rng=None):
        if rng is not None:
            x = x + rng.normal(0.0, 1.0)
        return x + random.normal([]) + tf_random.uniform([])
