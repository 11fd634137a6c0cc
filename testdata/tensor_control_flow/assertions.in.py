import tensorflow as tf
from tensorflow import keras


class Checked(keras.layers.Layer):
    def call(self, x, lengths=None):
        assert len(x.shape) == 2, "rows of numbers"
        assert not tf.reduce_any(tf.math.is_nan(x)), "nan in input"
        assert tf.reduce_max(x) < 1e6 and tf.reduce_min(x) > -1e6
        assert lengths is None or tf.reduce_all(lengths > 0), "empty sequence"
        return x * 2.0


@tf.function
def root(x):
    # Only what has one.
    assert tf.reduce_min(x) >= 0.0, "negative input"  # fails in the graph as well
    return tf.sqrt(x)


@tf.function
def logarithm(x):
    if tf.reduce_any(tf.math.is_nan(x)):
        raise ValueError("nan in input")
    try:
        if tf.reduce_min(x) <= 0.0:
            raise ValueError("not positive")
        return tf.math.log(x)
    except ValueError:
        return tf.math.log(tf.abs(x) + 1.0)


class Fallback(keras.layers.Layer):
    def call(self, x):
        try:
            if tf.reduce_min(x) <= 0.0:
                raise ValueError
            y = tf.math.log(x)
        except ValueError:
            y = tf.zeros_like(x)
        return y
