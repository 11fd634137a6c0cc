import tensorflow as tf


@tf.function
def clipped_loss(pred, target, limit):
    err = tf.reduce_mean(tf.abs(pred - target))
    extra = tf.zeros_like(err - limit)
    if err > limit:
        penalty = 2.0
        # how far
        extra = err - limit
    else:
        penalty = 0.5
    total = err * penalty
    if err > limit:
        total += extra
    return total


@tf.function
def second_or_first(x):
    if tf.size(x) >= 2:
        return tf.gather(x, 1)
    else:
        return x[0]


class Scaled(tf.Module):
    @tf.function
    def __call__(self, x):
        if tf.reduce_sum(x) > 0.0:
            factor = 0.1
        else:
            factor = 3.0
        return factor * x
