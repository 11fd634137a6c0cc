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
