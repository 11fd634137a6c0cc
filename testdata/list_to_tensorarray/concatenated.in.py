import tensorflow as tf


@tf.function
def repeated(x, counts):
    """Pieces of different length."""
    pieces = []
    for i in tf.range(tf.shape(x)[0]):
        pieces.append(tf.tile(x[i][tf.newaxis], [counts[i], 1]))
    return tf.concat(pieces, axis=0)


@tf.function
def beside(x):
    rows, width = x.shape
    pieces = []
    for i in tf.range(tf.shape(x)[0]):
        pieces.append(tf.reshape(x[i], [width, 1]) * tf.cast(i + 1, tf.float32))
    return tf.concat(pieces, axis=-1)
