import tensorflow as tf


@tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
def _mean(x):
    batch, width = tf.shape(x)[0], x.shape[1]
    return tf.reduce_sum(tf.reshape(x, [batch * width // 2, -1]), axis=0) / tf.cast(batch, tf.float32) / width


@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
def _last(x):
    return tf.reduce_sum(x, axis=0) * tf.cast(tf.shape(x)[0], tf.float32)


def run():
    return [_mean(tf.ones([n, 2])) for n in range(1, 6)], [_last(tf.ones([n])) for n in range(1, 6)]
