import tensorflow as tf


@tf.function
def bounds(x, width: int):
    n = tf.shape(x)[0] - width + 1
    pairs = tf.TensorArray(x.dtype, size=2 * n, element_shape=[])
    for i in tf.range(n):
        window = x[i : i + width]
        pairs = pairs.write(2 * i, tf.reduce_min(window))
        pairs = pairs.write(2 * i + 1, tf.reduce_max(window))
    return tf.reshape(pairs.stack(), [-1, 2])


@tf.function
def doubled(x):
    found = tf.TensorArray(x.dtype, size=2 * tf.shape(x)[0], element_shape=x.shape[1:])
    for i in tf.range(tf.shape(x)[0]):
        found = found.write(2 * i, x[i])
        found = found.write(2 * i + 1, x[i])
    return found.stack()


@tf.function
def framed(x):
    """Before, in and after the loop."""
    found = tf.TensorArray(x.dtype, size=tf.shape(x)[0] + 2)
    found = found.write(0, x[0] * 0.0)
    for i in tf.range(tf.shape(x)[0]):
        found = found.write(i + 1, x[i])
    found = found.write(tf.shape(x)[0] + 1, x[-1] * 0.0)
    return found.stack()
