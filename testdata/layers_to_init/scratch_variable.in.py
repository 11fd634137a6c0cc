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
