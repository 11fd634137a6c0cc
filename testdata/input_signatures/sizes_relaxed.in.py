import tensorflow as tf

table = tf.Variable(tf.reshape(tf.range(40, dtype=tf.float32), [10, 4]) / 40.0)


def positions(length, dim):
    places = tf.cast(tf.range(length), tf.float32)[:, tf.newaxis]
    return tf.sin(places / tf.range(1.0, dim + 1.0))


@tf.function
def encoded(tokens):
    batch, length = tokens.shape
    x = tf.gather(table, tokens) + positions(length, 4)
    pooled = tf.reduce_sum(x, axis=1) / length
    return tf.reshape(pooled, (batch, 2, 2))


@tf.function(autograph=False)
def centered(images):
    n = images.shape.as_list()[0]
    flat = tf.reshape(images, [n, images.shape[1] * images.shape[2]])
    mean = tf.reduce_sum(flat, axis=0) / tf.cast(n, tf.float32)
    return tf.reshape(flat - mean, [n, images.get_shape()[-2], -1])
