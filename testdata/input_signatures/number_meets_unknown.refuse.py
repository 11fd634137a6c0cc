# refused: number-meets-unknown
import tensorflow as tf


@tf.function
def scaled(x, factor):
    return x * factor


@tf.function
def counted(x, step):
    return tf.ones([3]) * step + x


def main(x):
    for i in range(1, 5):
        scaled(x, i / 2)
        counted(x, i)
