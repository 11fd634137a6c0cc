import tensorflow as tf


@tf.function
def _twice(x):
    return x + x


@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
def _signed(x):
    return -x


@tf.function(experimental_relax_shapes=True)
def _relaxed(x):
    return tf.square(x)


@tf.function
def _unknown(x):
    return tf.exp(x)


@tf.function
def _inside(x):
    return tf.tanh(x)


@tf.function
def _outer(x):
    for n in range(1, 9):
        x = x + tf.reduce_sum(_inside(tf.ones([n, 2])))
    return x


def main(batches, hand_on):
    _twice(tf.zeros([2, 3]))
    _twice(tf.zeros([4, 3]))
    for n in range(5):
        _signed(tf.zeros([n]))
        _relaxed(tf.zeros([n]))
    for batch in batches:
        _unknown(batch)
    hand_on(_outer)
    return _outer(tf.zeros([]))
