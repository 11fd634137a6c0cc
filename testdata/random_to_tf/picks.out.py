import tensorflow as tf


@tf.function(reduce_retracing=True)
def negatives(features, k=4):
    n = tf.shape(features)[0]
    idx = tf.random.shuffle(tf.range(tf.shape(features)[0]))[:k]
    order = tf.random.shuffle(tf.range(tf.shape(features)[0]))
    one = tf.cast(tf.gather([0.5, 1.0, 2.0], tf.random.uniform([], 0, 3, dtype=tf.int32)), features.dtype)
    sign = tf.cast(tf.gather([-1, 1], tf.random.uniform([], 0, 2, dtype=tf.int32)), features.dtype)
    weighted = tf.cast(tf.random.categorical(tf.math.log([[0.2, 0.3, 0.5]]), k)[0], tf.int32)
    row = tf.gather(features, tf.random.uniform([], 0, tf.shape(features)[0], dtype=tf.int32))
    picked = tf.gather(features, idx) + tf.gather(features, order)[:k] + tf.gather(features, weighted)
    return (picked + row) * one * sign
