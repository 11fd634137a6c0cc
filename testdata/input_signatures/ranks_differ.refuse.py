# refused: ranks-differ
import tensorflow as tf


@tf.function
def _norm(x):
    return tf.reduce_sum(tf.square(x))


_norm(tf.zeros([3]))
_norm(tf.zeros([4]))
_norm(tf.zeros([4, 2]))
