# refused: not-a-tensor
import tensorflow as tf
from tensorflow import keras


class Net(keras.layers.Layer):
    def call(self, x):
        mask = None
        if tf.reduce_max(x) > 1.0:
            mask = tf.cast(x > 0.0, x.dtype)
        return x if mask is None else x * mask
