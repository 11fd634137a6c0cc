# refused: dtypes-differ
import numpy as np
import tensorflow as tf


@tf.function
def _norm(x):
    return tf.reduce_sum(tf.square(x))


_norm(tf.zeros([3]))
_norm(tf.zeros([4]))
_norm(np.zeros([5]))  # float64: a signature would make it float32
