# refused: unsupported-statement
import tensorflow as tf
from tensorflow import keras


class Net(keras.layers.Layer):
    def call(self, x):
        if tf.reduce_max(x) > 1.0:
            import math

            x = x / math.pi
        return x
