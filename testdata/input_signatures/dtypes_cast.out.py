import numpy as np
import tensorflow as tf


@tf.function(input_signature=[tf.TensorSpec([None], tf.float32), tf.TensorSpec([], tf.float32)])
def _norm(x, scale):
    x = tf.cast(x, tf.float32)
    return tf.reduce_sum(tf.square(x)) * scale


def run():
    found = [_norm(tf.ones([n]), tf.constant(2.0)) for n in range(1, 5)]
    found.append(_norm(tf.cast(np.ones([3]), tf.float32), tf.constant(2.0)))
    found.append(_norm(x=tf.cast(tf.constant([1, 2]), tf.float32), scale=tf.constant(1.0)))
    return found
