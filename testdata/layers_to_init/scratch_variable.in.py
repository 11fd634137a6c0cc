import tensorflow as tf
from tensorflow import keras


@tf.function
def running(x):
    total = tf.Variable(0.0)
    total.assign(tf.reduce_sum(x))
    total.assign_add(1.0)
    total.assign_sub(x[0] if x.shape[0] else 0.0)
    return total.read_value() * 2.0


class Shrink(keras.layers.Layer):
    def call(self, x):
        master = tf.Variable(tf.cast(x, "float32"))
        master.assign(master * 0.5)  # half
        master.assign([[1.0]])
        other = tf.Variable(x, dtype=tf.float32, trainable=False)
        other.assign_add(master)
        return other


class Filter(keras.layers.Layer):
    """Zeroes the centre column and collects the row sums in the first one."""

    def __init__(self, width):
        super().__init__()
        self.width = width

    def call(self, x):
        buffer = tf.Variable(tf.zeros_like(x))
        buffer.assign(x)
        # the centre
        buffer[:, self.width // 2].assign(tf.zeros_like(x[:, 0]))
        buffer[:, 0].assign(tf.reduce_sum(buffer, axis=1))  # sums
        return buffer * 2.0
