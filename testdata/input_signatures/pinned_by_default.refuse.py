# refused: pinned-by-default
import tensorflow as tf


@tf.function
def _masked(x, negate=False, mask=None):
    return tf.where(mask, -x if negate else x, 0.0) / x.shape[0]


for n in range(1, 5):
    _masked(tf.zeros([n, 4]), mask=tf.ones([n, 4], tf.bool))
