# refused: initial-value
import tensorflow as tf
from tensorflow import keras


class FromTensor(keras.layers.Layer):
    def call(self, x):
        v = tf.Variable(tf.reduce_mean(x))
        return v * x


class FromList(keras.layers.Layer):
    def call(self, x):
        v = tf.Variable([1.0, 2.0])
        return v * x


class TupleOrNumber(keras.layers.Layer):
    def __init__(self, shape):
        super().__init__()
        self.shape = shape

    def call(self, x):
        v = tf.Variable(tf.zeros(self.shape))
        return v * x
