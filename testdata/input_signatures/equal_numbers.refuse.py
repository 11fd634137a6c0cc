# refused: equal-numbers
import tensorflow as tf


@tf.function
def stacked(value, n):
    return tf.stack([value] * n)


def run():
    return stacked(1, 2), stacked(True, 2), stacked(1.0, 2)
