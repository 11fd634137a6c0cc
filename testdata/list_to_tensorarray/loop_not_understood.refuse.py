# refused: loop-not-understood

import tensorflow as tf


@tf.function
def pairs(x: tf.Tensor):
    found = []
    for i in tf.range(tf.shape(x)[0]):
        for j, value in enumerate(x[i]):
            found.append(value * tf.cast(i + j, tf.float32))
    return tf.stack(found)
