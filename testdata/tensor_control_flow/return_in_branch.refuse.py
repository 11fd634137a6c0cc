# refused: return-in-branch
import tensorflow as tf
from tensorflow import keras


class Net(keras.layers.Layer):
    def __init__(self, deep=True):
        super().__init__()
        self.deep = deep

    def call(self, x):
        if self.deep:
            if tf.reduce_max(x) > 1.0:
                return x / 2.0
            x = x + 1.0
        return x
