# refused: variable-not-kept
import tensorflow as tf
from tensorflow import keras


class Local(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        value = tf.Variable(1.0)
        self.value = value

    def call(self, x):
        return x * self.value
