# refused: container-in-python
import tensorflow as tf


@tf.function
def total(values):
    return tf.add_n([tf.square(tf.cast(value, tf.float32)) for value in values])


@tf.function
def scaled(options, x):
    return x * options["scale"]


def run():
    found = [total([float(i), 2.0]) for i in range(8)]
    return found, [scaled({"scale": [0.1 * i]}, tf.ones([2])) for i in range(8)]
