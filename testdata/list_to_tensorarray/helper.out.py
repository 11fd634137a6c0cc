import tensorflow as tf


def record(found, value, scale):
    return found.write(found.size(), value * scale)


def record_all(found, norms, value):
    """Adds to both lists."""
    found = record(found, value, 2.0)
    norms = norms.write(norms.size(), tf.norm(value))
    return found, norms


@tf.function
def trace(points: tf.Tensor):
    found = tf.TensorArray(points.dtype, size=0, dynamic_size=True)
    norms = tf.TensorArray(points.dtype, size=0, dynamic_size=True)
    for i in tf.range(tf.shape(points)[0]):
        found, norms = record_all(found, norms, points[i])
    return found.stack(), norms.stack()
