# refused: number-used-by-python
import tensorflow as tf
from tensorflow import keras


class Net(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.parts = [keras.layers.Dense(2), keras.layers.Dense(2)]

    def call(self, x):
        if tf.reduce_max(x) > 1.0:
            which = 1
        else:
            which = 0
        return self.parts[which](x)
