"""Outside of graphs a list does."""

import tensorflow as tf


def evaluate(x):
    losses = []
    for i in tf.range(tf.shape(x)[0]):
        losses.append(tf.reduce_sum(x[i]))
    array = tf.TensorArray(tf.float32, size=1)
    array.write(0, 1.0)
    return tf.stack(losses), array.stack(), [row + 1 for row in tf.constant([1, 2])]
