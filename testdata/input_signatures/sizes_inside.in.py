import tensorflow as tf


@tf.function
def _mean(x):
    batch, width = x.shape
    return tf.reduce_sum(tf.reshape(x, [batch * width // 2, -1]), axis=0) / batch / width


@tf.function
def _last(x):
    return tf.reduce_sum(x, axis=0) * x.shape[0]


def run():
    return [_mean(tf.ones([n, 2])) for n in range(1, 6)], [_last(tf.ones([n])) for n in range(1, 6)]
