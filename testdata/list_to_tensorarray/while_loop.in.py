import tensorflow as tf


@tf.function
def halvings(x):
    values = []
    while tf.reduce_max(x) > 1.0:
        x = x * 0.5
        values.append(tf.reduce_mean(x))
    return tf.stack(values)


@tf.function
def collatz(start):
    n = tf.cast(start, tf.int64)
    path = [n]
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        path += [n]
    return tf.stack(path)


@tf.function
def records(x: tf.Tensor):
    """What the loop carries keeps its dtype."""
    best = tf.constant(-1e9)
    found, pairs = [], []
    for i in tf.range(tf.shape(x)[0]):
        total = tf.reduce_sum(x[i])
        if total > best:
            best = total
        found.append(best)
        pairs.append([best, total])
    return tf.stack(found), tf.stack(pairs)
