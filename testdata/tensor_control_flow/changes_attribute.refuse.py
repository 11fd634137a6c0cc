# refused: changes-attribute
import tensorflow as tf
from tensorflow import keras


class Net(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.turns = 0

    def call(self, x):
        while tf.reduce_max(x) > 1.0:
            x = x / 2.0
            self.turns += 1
        return x
