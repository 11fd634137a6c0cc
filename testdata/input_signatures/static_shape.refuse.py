# refused: static-shape
import tensorflow as tf


def _rows(x):
    return x.shape[0]


@tf.function
def _mean(x):
    return tf.reduce_sum(x, axis=0) / _rows(x)


@tf.function
def _pair(x):
    first, second = x
    return first + second


@tf.function
def _parts(x):
    return tf.add_n(tf.unstack(x))


@tf.function
def _last(x):
    y = tf.square(x)
    return y[: y.shape[0] - 1]


@tf.function
def _each(x):
    for i in range(len(x)):
        tf.print(x[i])


for n in range(1, 5):
    _mean(tf.zeros([n, 4]))
    _pair(tf.zeros([n, 4]))
    _parts(tf.zeros([n, 4]))
    _last(tf.zeros([n, 4]))
    _each(tf.zeros([n, 4]))
