import tensorflow as tf
from tensorflow import keras


class Checked(keras.layers.Layer):
    def call(self, x, lengths=None):
        assert len(x.shape) == 2, "rows of numbers"
        tf.debugging.assert_equal(tf.reduce_any(tf.math.is_nan(x)), False, message="nan in input")
        tf.debugging.assert_equal(tf.reduce_max(x) < 1e6, True)
        tf.debugging.assert_equal(tf.reduce_min(x) > -1e6, True)
        if not (lengths is None):
            tf.debugging.assert_equal(tf.reduce_all(lengths > 0), True, message="empty sequence")
        return x * 2.0


@tf.function
def root(x):
    # Only what has one.
    tf.debugging.assert_equal(
        tf.reduce_min(x) >= 0.0, True, message="negative input"
    )  # fails in the graph as well
    return tf.sqrt(x)


@tf.function
def logarithm(x):
    tf.debugging.assert_equal(tf.reduce_any(tf.math.is_nan(x)), False, message="nan in input")
    if tf.reduce_min(x) <= 0.0:
        return tf.math.log(tf.abs(x) + 1.0)
    return tf.math.log(x)


class Fallback(keras.layers.Layer):
    def call(self, x):
        y = tf.cond(tf.reduce_min(x) <= 0.0, lambda: tf.zeros_like(x), lambda: tf.math.log(x))
        return y
