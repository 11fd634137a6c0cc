"""Recordings: what happens step by step."""

import tensorflow as tf
from tensorflow.keras import layers


class LeakyIntegrator(layers.Layer):
    """Carries a state through the steps and keeps all of them."""

    def __init__(self, leak=0.9, **kwargs):
        super().__init__(**kwargs)
        self.leak = leak

    def call(self, steps):
        state = tf.zeros_like(steps[:, 0])
        outputs = []
        for t in tf.range(tf.shape(steps)[1]):
            state = self.leak * state + steps[:, t]
            outputs.append(state)
        return tf.stack(outputs, axis=1)


class Envelope(layers.Layer):
    """A running maximum, written as it should be."""

    def call(self, steps):
        return tf.transpose(tf.scan(tf.maximum, tf.transpose(steps)))


class Cell(tf.Module):
    """A recurrent net without Keras."""

    def __init__(self, units=3):
        super().__init__()
        self.units = units
        self.kernel = tf.Variable(tf.ones([3, units]) * 0.1)
        self.recurrent = tf.Variable(tf.eye(units) * 0.5)

    @tf.function(input_signature=[tf.TensorSpec([None, None, 3], tf.float32)])
    def __call__(self, steps):
        state = tf.zeros([tf.shape(steps)[0], self.units])
        outputs = []
        for t in tf.range(tf.shape(steps)[1]):
            state = tf.tanh(tf.matmul(steps[:, t], self.kernel) + tf.matmul(state, self.recurrent))
            outputs.append(state)
        return tf.stack(outputs, axis=1)


@tf.function
def halvings(values: tf.Tensor):
    """The means on the way to below one."""
    means = []
    while tf.reduce_max(values) > 1.0:
        values = values * 0.5
        means.append(tf.reduce_mean(values))
    return tf.stack(means)


@tf.function
def windows(values: tf.Tensor):
    """Sums of neighbours; the list is handed to Python's zip, which no graph can run."""
    rows, sums = [], []
    for i in tf.range(tf.shape(values)[0]):
        rows.append(values[i])
        sums.append(tf.reduce_sum(values[i]))
    total = 0.0
    for row, one in zip(rows, sums):
        total += tf.reduce_sum(row) / one
    return total
