import tensorflow as tf


@tf.function
def cumulated(values):
    """Right whether ``values`` is a tensor or a list of numbers."""
    found = []
    total = tf.constant(0.0)
    for value in values:
        total += value
        found.append(total)
    return tf.stack(found)
