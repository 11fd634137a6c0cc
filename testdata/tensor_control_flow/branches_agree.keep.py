import tensorflow as tf

DEEP = False


@tf.function
def agree(x, limit):
    extra = tf.zeros_like(x)
    if tf.reduce_sum(x) > limit:
        factor = 2.0
        extra = x - limit
    else:
        factor = 0.5
    return factor * x + extra


@tf.function
def used_at_once(x, limit):
    if tf.reduce_sum(x) > limit:
        extra = x - limit
        x = x + extra
    return x


@tf.function
def bound_again(x, limit):
    if tf.reduce_sum(x) > limit:
        extra = x - limit
        x = extra
    extra = x * 2.0
    return x + extra


@tf.function
def decided_by_python(x):
    if DEEP:
        factor = 2
        extra = x
    else:
        factor = 0.5
    if DEEP:
        x = x + extra
    return factor * x


def eager(x):
    if tf.size(x) >= 2:
        return x[1]
    return x[0]
