import tensorflow as tf


@tf.function
def bounds(x, width: int):
    pairs = []
    n = tf.shape(x)[0] - width + 1
    for i in tf.range(n):
        window = x[i : i + width]
        pairs.extend([tf.reduce_min(window), tf.reduce_max(window)])
    return tf.reshape(tf.stack(pairs), [-1, 2])


@tf.function
def doubled(x):
    found = ()
    for i in tf.range(tf.shape(x)[0]):
        found = found + (x[i], x[i])
    return tf.stack(found)


@tf.function
def framed(x):
    """Before, in and after the loop."""
    found = []
    found.append(x[0] * 0.0)
    for i in tf.range(tf.shape(x)[0]):
        found.append(x[i])
    found.append(x[-1] * 0.0)
    return tf.stack(found)
