import tensorflow as tf


@tf.function(reduce_retracing=True)
def _dead_zone(x, lower, upper):
    # Two sides.
    below = tf.where(x < lower, x - lower, tf.zeros_like(x))
    above = tf.where(x > upper, x - upper, tf.zeros_like(x))
    return below + above


# Zero between the bounds.
def dead_zone(x, lower: float = -0.5, upper: float = 0.5):
    """What is left of ``x`` outside of the bounds."""
    x = tf.convert_to_tensor(x)
    if lower > upper:
        raise ValueError("lower must not be larger than upper")
    return _dead_zone(x, tf.convert_to_tensor(lower, x.dtype), tf.convert_to_tensor(upper, x.dtype))


def sweep(x, bounds):
    return [dead_zone(x, lower=-b, upper=b) for b in bounds]
