# refused: not-in-xla

import tensorflow as tf


@tf.function(jit_compile=True)
def positive(x: tf.Tensor):
    found = []
    for i in tf.range(tf.shape(x)[0]):
        if tf.reduce_sum(x[i]) > 0.0:
            found.append(x[i])
    return tf.stack(found)
