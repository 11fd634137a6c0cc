import tensorflow as tf


@tf.function
def statistics(x: tf.Tensor):
    losses = tf.TensorArray(x.dtype, size=tf.shape(x)[0], element_shape=[])
    for i in tf.range(tf.shape(x)[0]):
        losses = losses.write(i, tf.reduce_sum(tf.square(x[i])))
    losses = losses.stack()
    total = tf.reduce_sum(losses)
    return (
        total / tf.cast(tf.size(losses), total.dtype),
        tf.reduce_max(losses),
        losses[-1],
        1.0 / tf.cast(tf.size(losses), tf.float32),
    )


@tf.function
def mean(x: tf.Tensor):
    vectors = tf.TensorArray(x.dtype, size=tf.shape(x)[0], element_shape=x.shape[1:])
    for i in tf.range(tf.shape(x)[0]):
        vectors = vectors.write(i, x[i])
    return tf.reduce_sum(vectors.stack(), axis=0) / tf.cast(vectors.size(), x.dtype)


@tf.function
def columns(x: tf.Tensor):
    rows = tf.TensorArray(x.dtype, size=tf.shape(x)[0], element_shape=x.shape[1:])
    for i in tf.range(tf.shape(x)[0]):
        rows = rows.write(i, x[i])
    return tf.transpose(rows.stack())
