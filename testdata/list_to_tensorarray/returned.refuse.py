# refused: returned-as-list

import tensorflow as tf


@tf.function
def pyramid(image, scales):
    levels = []
    size = tf.cast(tf.shape(image)[:2], tf.float32)
    for s in scales:
        levels.append(tf.image.resize(image, tf.cast(size * s, tf.int32)))
    return levels


def features(image):
    return pyramid(image, tf.constant([1.0, 0.5]))


@tf.function
def beside(x: tf.Tensor):
    found = []
    for i in tf.range(tf.shape(x)[0]):
        found.append(tf.reduce_sum(x[i]))
    return {"sums": found, "x": x}
