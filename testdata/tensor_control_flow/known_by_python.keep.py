import numpy as np
import tensorflow as tf
from tensorflow import keras


class Shapes(keras.layers.Layer):
    def call(self, inputs):
        x, context = inputs
        rank = len(x.shape)
        if rank == 2 and not context.shape.is_fully_defined():
            x = tf.expand_dims(x, 1)
        if np.prod(x.shape[1:]) > 10:
            x = tf.reshape(x, [-1, 10])
        for i, size in enumerate(x.shape):
            if size is None:
                x = tf.ensure_shape(x, x.shape)
        if keras.backend.floatx() == "float16":
            x = tf.cast(x, tf.float16)
        return x


class Nothing(keras.layers.Layer):
    def call(self, x, state=None):
        if state is None:
            state = tf.zeros_like(x)
        names = [name for name in ("a", "b") if name]
        return x + state * len(names)


class Sizes(keras.layers.Layer):
    def call(self, x):
        batch = x.shape[0] or tf.shape(x)[0]
        if tf.executing_eagerly():
            assert tf.reduce_all(tf.math.is_finite(x))
            if not tf.reduce_any(x > 0.0):
                tf.print("nothing is positive")
        return tf.reshape(x, [batch, -1])
