# refused: number-decides
import tensorflow as tf


@tf.function
def dead_zone(x, lower=-0.5, upper=0.5):
    if lower > upper:
        raise ValueError("lower must not be larger than upper")
    return tf.where(x < lower, x - lower, tf.zeros_like(x))


@tf.function
def warmed(x, step):
    if step < 3:
        return tf.zeros_like(x)
    return x


@tf.function
def either(x, factor):
    return x if factor > 0.5 else -x


def sweep(x):
    for i in range(8):
        dead_zone(tf.ones([4]), lower=-0.1 * i, upper=0.1 * i)
        warmed(x, i)
        either(x, i / 8)
