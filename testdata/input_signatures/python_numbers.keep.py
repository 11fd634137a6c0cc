import numpy as np
import tensorflow as tf


@tf.function
def scaled(x, by):
    return tf.ones([3]) * by + x


@tf.function
def unrolled(x):
    for i in range(3):
        x = scaled(x, i + 0.5)
    return x


def main(x, values):
    for value in values:
        scaled(x, value)
    for by in np.linspace(0.0, 1.0, 5):
        scaled(x, by)
    for _ in range(10):
        scaled(x, 0.5)
    scaled(x, 1)
    for i in range(5):
        by = tf.constant(i / 2)
        scaled(x, by)
    i = 0
    while i < 5:
        i = i + x
        scaled(x, i)
