# refused: outlives-its-block

import tensorflow as tf


@tf.function
def maybe(x: tf.Tensor, wanted=True):
    if wanted:
        found = []
        for i in tf.range(tf.shape(x)[0]):
            found.append(x[i])
    else:
        found = [x]
    return tf.stack(found)
