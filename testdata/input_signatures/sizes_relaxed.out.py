import tensorflow as tf

table = tf.Variable(tf.reshape(tf.range(40, dtype=tf.float32), [10, 4]) / 40.0)


def positions(length, dim):
    places = tf.cast(tf.range(length), tf.float32)[:, tf.newaxis]
    return tf.sin(places / tf.range(1.0, dim + 1.0))


@tf.function(reduce_retracing=True)
def encoded(tokens):
    batch, length = tf.unstack(tf.shape(tokens))
    x = tf.gather(table, tokens) + positions(length, 4)
    pooled = tf.reduce_sum(x, axis=1) / tf.cast(length, tf.float32)
    return tf.reshape(pooled, (batch, 2, 2))


@tf.function(reduce_retracing=True, autograph=False)
def centered(images):
    n = tf.shape(images)[0]
    flat = tf.reshape(images, [n, tf.shape(images)[1] * tf.shape(images)[2]])
    mean = tf.reduce_sum(flat, axis=0) / tf.cast(n, tf.float32)
    return tf.reshape(flat - mean, [n, tf.shape(images)[-2], -1])
