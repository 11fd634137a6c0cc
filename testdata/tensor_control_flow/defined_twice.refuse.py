# refused: defined-twice
import tensorflow as tf
from tensorflow import keras


class Net(keras.layers.Layer):
    def call(self, x):
        return x

    def call(self, x):  # noqa: F811
        if tf.reduce_max(x) > 1.0:
            x = x / 2.0
        return x
