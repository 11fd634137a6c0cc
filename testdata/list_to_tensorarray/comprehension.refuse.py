# refused: comprehension

import tensorflow as tf


@tf.function
def positive(x: tf.Tensor):
    return tf.stack([row for row in x if tf.reduce_sum(row) > 0.0])


@tf.function
def as_list(x: tf.Tensor):
    rows = [row * 2.0 for row in x]
    return rows


@tf.function
def two(a: tf.Tensor, b: tf.Tensor):
    return tf.stack([x * y for x, y in zip(a, b)])
