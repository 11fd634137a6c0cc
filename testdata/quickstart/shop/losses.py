"""Losses."""

import tensorflow as tf


@tf.function
def log_loss(scores, bought):
    """The mean log loss of one batch, whatever its size: compiled, and traced anew for each size."""
    losses = tf.nn.sigmoid_cross_entropy_with_logits(labels=bought, logits=scores)
    return tf.reduce_mean(losses)
