import tensorflow as tf


@tf.function
def row_sums(x: tf.Tensor):
    sums = []
    for row in x:
        sums.append(tf.reduce_sum(row))
    return tf.stack(sums)


@tf.function
def weighted(x: tf.Tensor):
    found = []
    for i, row in enumerate(x):
        found.append(row * tf.cast(i, tf.float32))
    return tf.stack(found)


@tf.function
def products(a: tf.Tensor, b: tf.Tensor):
    found = []
    for one, other in zip(a, b):
        found.append(tf.reduce_sum(one * other))
    return tf.stack(found)
