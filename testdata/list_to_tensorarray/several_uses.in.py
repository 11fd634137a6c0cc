import tensorflow as tf


@tf.function
def statistics(x: tf.Tensor):
    losses = []
    for i in tf.range(tf.shape(x)[0]):
        losses.append(tf.reduce_sum(tf.square(x[i])))
    total = tf.add_n(losses)
    return total / len(losses), tf.reduce_max(losses), losses[-1], 1.0 / len(losses)


@tf.function
def mean(x: tf.Tensor):
    vectors = []
    for i in tf.range(tf.shape(x)[0]):
        vectors.append(x[i])
    return sum(vectors) / tf.cast(len(vectors), x.dtype)


@tf.function
def columns(x: tf.Tensor):
    rows = []
    for i in tf.range(tf.shape(x)[0]):
        rows.append(x[i])
    return tf.transpose(rows)
