# refused: used-as-list

import tensorflow as tf


@tf.function
def zipped(x: tf.Tensor):
    rows, sums = [], []
    for i in tf.range(tf.shape(x)[0]):
        rows.append(x[i])
        sums.append(tf.reduce_sum(x[i]))
    total = 0.0
    for row, one in zip(rows, sums):
        total += tf.reduce_sum(row) / one
    return total


@tf.function
def passed(x: tf.Tensor, combine):
    rows = []
    for i in tf.range(tf.shape(x)[0]):
        rows.append(x[i])
    return combine(rows)


@tf.function
def tested(x: tf.Tensor):
    rows = []
    for i in tf.range(tf.shape(x)[0]):
        rows.append(x[i])
    if len(rows) > 2:
        return tf.stack(rows)
    return x


@tf.function
def at_both_ends(x: tf.Tensor):
    rows = []
    for i in tf.range(tf.shape(x)[0]):
        rows.append(x[i])
        rows.insert(0, x[i])
    return tf.stack(rows)


@tf.function
def extended(x: tf.Tensor, more):
    rows = []
    for i in tf.range(tf.shape(x)[0]):
        rows.extend(more(x[i]))
    return tf.stack(rows)
