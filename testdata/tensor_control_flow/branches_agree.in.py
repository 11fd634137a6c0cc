import tensorflow as tf


@tf.function
def clipped_loss(pred, target, limit):
    err = tf.reduce_mean(tf.abs(pred - target))
    if err > limit:
        penalty = 2
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
        return x[1]
    else:
        return x[0]


class Scaled(tf.Module):
    @tf.function
    def __call__(self, x):
        if tf.reduce_sum(x) > 0.0:
            factor = 0.1
        else:
            factor = 3
        return factor * x
