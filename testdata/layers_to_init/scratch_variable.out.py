import tensorflow as tf
from tensorflow import keras


@tf.function
def running(x):
    total = tf.constant(0.0)
    total = tf.reduce_sum(x)
    total = total + 1.0
    total = total - (x[0] if x.shape[0] else 0.0)
    return total * 2.0


class Shrink(keras.layers.Layer):
    def call(self, x):
        master = tf.cast(x, "float32")
        master = master * 0.5  # half
        master = tf.constant([[1.0]], dtype=master.dtype)
        other = tf.cast(x, tf.float32)
        other = other + master
        return other


class Filter(keras.layers.Layer):
    """Zeroes the centre column and collects the row sums in the first one."""

    def __init__(self, width):
        super().__init__()
        self.width = width

    def call(self, x):
        buffer = tf.zeros_like(x)
        buffer = x
        # the centre
        buffer_pieces = tf.unstack(buffer, axis=1)
        buffer_pieces[self.width // 2] = tf.zeros_like(x[:, 0])
        buffer = tf.stack(buffer_pieces, axis=1)
        buffer_pieces = tf.unstack(buffer, axis=1)
        buffer_pieces[0] = tf.reduce_sum(buffer, axis=1)
        buffer = tf.stack(buffer_pieces, axis=1)  # sums
        return buffer * 2.0
