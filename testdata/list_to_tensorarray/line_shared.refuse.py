# refused: line-shared

import tensorflow as tf


@tf.function
def bounds(x: tf.Tensor):
    found = []
    for i in tf.range(tf.shape(x)[0]):
        y = x[i] + 1.0; found.extend([y, -y])
    return tf.stack(found)
