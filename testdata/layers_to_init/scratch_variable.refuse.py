# refused: scratch-variable
import tensorflow as tf
from tensorflow import keras


class Filter(keras.layers.Layer):
    def call(self, x):
        buffer = tf.Variable(tf.zeros_like(x))
        buffer[0].assign(x[0])
        buffer[:, 1:].assign(x[:, 1:])
        return buffer


class Differentiated(keras.layers.Layer):
    def call(self, x):
        v = tf.Variable(1.0)
        v.assign(2.0)
        with tf.GradientTape() as tape:
            y = v * x
        return tape.gradient(y, v)


class Passed(keras.layers.Layer):
    def call(self, x):
        v = tf.Variable(1.0)

        def add():
            v.assign_add(1.0)

        add()
        return v * x
