import tensorflow as tf


@tf.function
def filled(n, value):
    return tf.fill([2], value)[:n]


@tf.function
def raised(x, power):
    return x**power


def run():
    x = tf.constant([1.0, 2.0])
    return filled(2, tf.constant(1)), filled(2, value=tf.constant(1.0)), raised(x, 2), raised(x, 2.0)
