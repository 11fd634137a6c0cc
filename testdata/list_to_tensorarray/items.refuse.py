# refused: items-set

import tensorflow as tf


@tf.function
def extremes(x: tf.Tensor):
    found = [x[0], x[0]]
    for i in tf.range(tf.shape(x)[0]):
        found[0] = tf.minimum(found[0], x[i])
        found[1] = tf.maximum(found[1], x[i])
    return found


@tf.function
def shifted(x: tf.Tensor):
    found = [x[0], x[0]]
    for i in tf.range(tf.shape(x)[0]):
        for j in range(len(found)):
            found[j] = found[j - 1] + x[i]
    return found
