import tensorflow as tf


@tf.function
def distances(a: tf.Tensor, b: tf.Tensor):
    rows = []
    for i in tf.range(tf.shape(a)[0]):
        row = []
        for j in tf.range(tf.shape(b)[0]):
            row.append(tf.reduce_sum(tf.square(a[i] - b[j])))
        rows.append(tf.stack(row))
    return tf.stack(rows)


@tf.function
def pairs(a: tf.Tensor, b: tf.Tensor):
    found = []
    for i in tf.range(tf.shape(a)[0]):
        for j in tf.range(i, tf.shape(b)[0]):
            found.append(tf.reduce_sum(a[i] * b[j]))
    return tf.stack(found)


@tf.function
def counted(x: tf.Tensor, times: tf.Tensor):
    found = []
    for _ in tf.range(tf.cast(times, tf.int32)):
        part = []
        for _ in tf.range(tf.shape(x)[0]):
            x = tf.tanh(x)
            part.append(tf.reduce_sum(x))
        found.append(tf.reduce_max(part))
    return tf.stack(found)
