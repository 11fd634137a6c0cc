import tensorflow as tf


@tf.function
def halvings(x):
    values = tf.TensorArray(x.dtype, size=0, dynamic_size=True, element_shape=[])
    while tf.reduce_max(x) > 1.0:
        x = x * 0.5
        values = values.write(values.size(), tf.reduce_mean(x))
    return values.stack()


@tf.function
def collatz(start):
    n = tf.cast(start, tf.int64)
    path = tf.TensorArray(tf.int64, size=0, dynamic_size=True)
    path = path.write(0, n)
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        path = path.write(path.size(), n)
    return path.stack()


@tf.function
def records(x: tf.Tensor):
    """What the loop carries keeps its dtype."""
    best = tf.constant(-1e9)
    found = tf.TensorArray(tf.float32, size=tf.shape(x)[0], element_shape=[])
    pairs = tf.TensorArray(tf.float32, size=tf.shape(x)[0])
    for i in tf.range(tf.shape(x)[0]):
        total = tf.reduce_sum(x[i])
        if total > best:
            best = total
        found = found.write(i, best)
        pairs = pairs.write(i, [best, total])
    return found.stack(), pairs.stack()
