import tensorflow as tf


@tf.function
def scaled(x, factor):
    return x * factor if factor != 1 else x


@tf.function
def filled(value):
    return tf.fill([2], tf.cast(value, tf.float32))


@tf.function
def whole(value):
    return tf.fill([2], value)


def run(x):
    return scaled(x, 1), scaled(x, 1.0), filled(1), filled(True), whole(1), whole(0.5)
