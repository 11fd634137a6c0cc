# refused: python-value
import tensorflow as tf


@tf.function
def _pooled(x, how):
    if how == "mean":
        return tf.reduce_mean(x, axis=0)
    return tf.reduce_max(x, axis=0) / x.shape[0]


_pooled(tf.zeros([3, 4]), "mean")
_pooled(tf.zeros([4, 4]), "max")
_pooled(tf.zeros([5, 4]), "max")
