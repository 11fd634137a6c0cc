import tensorflow as tf


@tf.function
def cumulated(values):
    """Right whether ``values`` is a tensor or a list of numbers."""
    found = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    total = tf.constant(0.0)
    for value in values:
        total += value
        found = found.write(found.size(), total)
    return found.stack()
