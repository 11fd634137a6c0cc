# refused: bound-again

import tensorflow as tf


@tf.function
def restarted(x: tf.Tensor):
    found = []
    for i in tf.range(tf.shape(x)[0]):
        if tf.reduce_sum(x[i]) < 0.0:
            found = []
        found.append(tf.reduce_sum(x[i]))
    return tf.stack(found)
