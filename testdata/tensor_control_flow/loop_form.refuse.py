# refused: loop-form
import tensorflow as tf
from tensorflow import keras


class Net(keras.layers.Layer):
    def call(self, x):
        x = tf.abs(x)
        total = tf.zeros_like(x[0])
        for row in x:
            total = total + row
        else:
            total = total * 2.0
        return total


class Pairs(keras.layers.Layer):
    def call(self, x):
        x = tf.abs(x)
        total = tf.constant(0.0)
        for first, second in x:
            total = total + first * second
        return total
