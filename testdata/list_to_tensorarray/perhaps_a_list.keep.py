"""Arguments that may well be lists (form 3j), and rows taken by Python's numbers (3k)."""

import tensorflow as tf


@tf.function
def norms(gradients):
    found = []
    for gradient in gradients:
        found.append(tf.norm(gradient))
    return tf.stack(found)


@tf.function
def halves(tensors):
    found = []
    for one in tensors:
        found.append(one * 0.5)
    return found


@tf.function
def pyramid(levels, scales):
    found = []
    for i in range(len(levels)):
        found.append(levels[i] * scales[i])
    return tf.concat(found, axis=0)


@tf.function
def pairs(points):
    return tf.stack([a + b for a, b in points])
