import tensorflow as tf


@tf.function
def sums(x: tf.Tensor):
    totals = [tf.zeros_like(x[0, 0]), tf.zeros_like(x[0, 0])]
    for i in tf.range(tf.shape(x)[0]):
        totals = [totals[j] + x[i, j] for j in range(len(totals))]
    return totals


@tf.function
def products(x: tf.Tensor):
    totals = [tf.ones_like(x[0, 0]) for _ in range(2)]
    for i in tf.range(tf.shape(x)[0]):
        totals = [totals[j] * (x[i, j] + 1.0) for j in range(len(totals))]
    return totals
