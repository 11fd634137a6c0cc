import tensorflow as tf

from somewhere import score


@tf.function(input_signature=[tf.TensorSpec([None, 4], tf.float32)])
def _step(x):
    return score(x) + 1.0


for n in range(1, 8):
    _step(tf.ones([n, 4]))
