import tensorflow as tf


@tf.function
def first_rows(x: tf.Tensor, n):
    found = []
    for i in tf.range(n):
        found.append(x[i])
    return tf.stack(found)


@tf.function
def rows_of(x: tf.Tensor):
    found = []
    n = tf.shape(x, out_type=tf.int64)[0]
    for i in tf.range(n):
        found.append(tf.cast(i, tf.int32))
    return tf.stack(found)
