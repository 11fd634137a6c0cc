# refused: variable-api
import tensorflow as tf
from tensorflow import keras


class Reads(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.scale = tf.Variable(1.0)

    def call(self, x):
        return x * self.scale.read_value()
