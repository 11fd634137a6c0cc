import tensorflow as tf


@tf.function
def row_sums(x: tf.Tensor):
    sums = tf.TensorArray(x.dtype, size=tf.shape(x)[0], element_shape=[])
    for i in tf.range(tf.shape(x)[0]):
        row = x[i]
        sums = sums.write(i, tf.reduce_sum(row))
    return sums.stack()


@tf.function
def weighted(x: tf.Tensor):
    found = tf.TensorArray(tf.float32, size=tf.shape(x)[0])
    for i in tf.range(tf.shape(x)[0]):
        row = x[i]
        found = found.write(i, row * tf.cast(i, tf.float32))
    return found.stack()


@tf.function
def products(a: tf.Tensor, b: tf.Tensor):
    found = tf.TensorArray(a.dtype, size=tf.minimum(tf.shape(a)[0], tf.shape(b)[0]), element_shape=[])
    for i in tf.range(tf.minimum(tf.shape(a)[0], tf.shape(b)[0])):
        one = a[i]
        other = b[i]
        found = found.write(i, tf.reduce_sum(one * other))
    return found.stack()
