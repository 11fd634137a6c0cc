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
