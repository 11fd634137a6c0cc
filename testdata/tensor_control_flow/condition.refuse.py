# refused: condition
import tensorflow as tf
from tensorflow import keras


class Net(keras.layers.Layer):
    def call(self, x, training=False):
        while training and tf.reduce_max(x) > 1.0:
            x = x / 2.0
        return x


class Value(keras.layers.Layer):
    def call(self, x):
        return x + (tf.reduce_sum(x) or 1.0)
