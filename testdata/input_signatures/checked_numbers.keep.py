import tensorflow as tf


@tf.function
def asked_for(x, scale=1.0):
    x = tf.convert_to_tensor(x)
    if scale <= 0:
        raise ValueError("scale must be positive")
    return x * scale


@tf.function
def checks_the_tensor(x, scale=1.0):
    x = tf.convert_to_tensor(x)
    if len(x.shape) != 2:
        raise ValueError("x must be a matrix")
    return x * scale


@tf.function
def meets_another(x, y, scale=1.0):
    x = tf.convert_to_tensor(x)
    if scale <= 0:
        raise ValueError("scale must be positive")
    return x + y * scale


@tf.function
def in_python(x, power=2.0):
    x = tf.convert_to_tensor(x)
    if power < 0:
        raise ValueError("power must not be negative")
    return tf.reduce_sum(x * power) if power > 1 else x


@tf.function
def once(x, scale=1.0):
    x = tf.convert_to_tensor(x)
    if scale <= 0:
        raise ValueError("scale must be positive")
    return x * scale


def run(x, scales):
    asked_for.get_concrete_function(x)
    once(x, 2.0)
    return [(asked_for(x, s), checks_the_tensor(x, s), meets_another(x, x, s), in_python(x, s)) for s in scales]
