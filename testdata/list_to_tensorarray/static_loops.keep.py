"""Loops that Python unrolls: right as they are, and quicker to run."""

import tensorflow as tf


@tf.function
def unrolled(x: tf.Tensor, steps: int = 3):
    outputs = []
    for t in range(x.shape[1]):
        outputs.append(tf.tanh(x[:, t]))
    for _ in range(steps):
        outputs.append(x[:, 0])
    for row in tf.unstack(x, axis=1):
        outputs.append(row)
    for number, part in enumerate(tf.split(x, 2, axis=1)):
        outputs.append(part[:, 0] * float(number))
    while len(outputs) < 20:
        outputs.append(outputs[-1])
    return tf.stack(outputs, axis=1), outputs


@tf.function
def of_two(a, b):
    found = []
    for x in (a, b):
        found.append(tf.reduce_mean(x))
    for x, weight in zip([a, b], [1.0, 2.0]):
        found += [tf.reduce_mean(x) * weight]
    return tf.add_n(found)
