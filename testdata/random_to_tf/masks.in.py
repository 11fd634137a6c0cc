import numpy as np
import tensorflow as tf
from tensorflow import keras

LOW, HIGH = 0.5, 1.5


class Mask(keras.layers.Layer):
    def call(self, x, training=None):
        b, t, c = x.shape
        keep = np.random.rand(b, t, 1) > 0.5
        drop = np.random.random_sample(size=x.shape[:-1]) < 0.1
        x = tf.where(keep, x, 0.0) * tf.cast(drop, x.dtype)[..., tf.newaxis]
        flip = np.random.rand() < 0.5
        stay = not flip
        if stay or training:
            x = -x
        return x * np.random.uniform(0.5, 1.5) * np.float32(np.random.uniform(0.5, 1.5))


class Features(keras.layers.Layer):
    def call(self, inputs):
        a, b = inputs["a"], inputs["b"]
        weight = np.random.uniform(0.0, 1.0)
        return weight * a + (1 - weight) * b + weight * inputs["c"]
