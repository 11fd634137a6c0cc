# refused: number-in-python
import tensorflow as tf


@tf.function
def first(x, count):
    return x[:count]


@tf.function
def repeated(x, count):
    for _ in range(count):
        x = x * 2.0
    return x


@tf.function
def shaped(x, rows):
    return tf.reshape(x, [rows, -1])


@tf.function
def kept(x, factor):
    half = factor / 2
    return x * half


@tf.function
def inner(x, factor):
    return tf.map_fn(lambda row: row * factor, x)


def main(x):
    for i in range(1, 5):
        first(x, i)
        repeated(x, i)
        shaped(x, rows=i)
        kept(x, i / 2)
        inner(x, i / 2)
