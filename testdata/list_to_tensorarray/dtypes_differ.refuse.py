# refused: dtypes-differ

import tensorflow as tf


@tf.function
def mixed(x: tf.Tensor):
    found = []
    for i in tf.range(tf.shape(x)[0]):
        found.append(tf.cast(x[i], tf.float64))
        found.append(tf.cast(x[i], tf.float16))
    return tf.concat(found, axis=0)
