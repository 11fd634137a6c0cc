# refused: bound-in-one-branch
import tensorflow as tf
from tensorflow import keras


class Net(keras.layers.Layer):
    def call(self, x):
        if tf.reduce_max(x) > 1.0:
            extra = x - 1.0
        else:
            x = x * 2.0
        return x + extra
