# refused: python-side-effect
import tensorflow as tf
from tensorflow import keras


class Net(keras.layers.Layer):
    def call(self, x):
        if tf.reduce_max(x) > 1.0:
            print("large")
            x = x / 2.0
        return x


class Losses(keras.layers.Layer):
    def call(self, x):
        if tf.reduce_max(x) > 1.0:
            self.add_loss(tf.reduce_sum(x))
        return x


class Filled(keras.layers.Layer):
    def call(self, x):
        found = {}
        if tf.reduce_max(x) > 1.0:
            found["top"] = tf.reduce_max(x)
        return found.get("top", x)
