import tensorflow as tf
from tensorflow import keras


class Early(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(3, kernel_initializer="ones")

    def call(self, x):
        if tf.norm(x) < 0.5:
            return x
        # What is long enough goes through the layer.
        y = self.dense(x)
        return x + y


class Chain(keras.layers.Layer):
    def call(self, x):
        mean = tf.reduce_mean(x)
        if mean > 1.0:
            return x - mean
        if mean > 0.0:
            return x * 2.0
        return tf.zeros_like(x)


class Otherwise(keras.Model):
    def call(self, x, training=False):
        if training:
            return x * 2.0
        elif tf.reduce_max(x) > 1.0:
            return x / tf.reduce_max(x)
        else:
            return x


class Pair(keras.layers.Layer):
    def call(self, x):
        if tf.reduce_sum(x) > 0.0:
            return x, tf.reduce_sum(x)
        x = tf.abs(x)
        return x, tf.reduce_max(x)
