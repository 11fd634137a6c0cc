# refused: unknown-list

import tensorflow as tf


def record(found, value):
    found.append(value)
    return len(found)


def note(found, value):
    found.append(value)


@tf.function
def first(x: tf.Tensor):
    found = []
    for i in tf.range(tf.shape(x)[0]):
        note(found, x[i])
    return tf.stack(found)


def elsewhere(values):
    note(values, 1)


@tf.function
def into(x: tf.Tensor, found):
    for i in tf.range(tf.shape(x)[0]):
        found.append(x[i])
    return x


@tf.function
def by_name(x: tf.Tensor):
    found = {"sums": [], "rows": []}
    for i in tf.range(tf.shape(x)[0]):
        found["sums"].append(tf.reduce_sum(x[i]))
    return found
