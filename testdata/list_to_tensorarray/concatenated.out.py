import tensorflow as tf


@tf.function
def repeated(x, counts):
    """Pieces of different length."""
    pieces = tf.TensorArray(x.dtype, size=tf.shape(x)[0], infer_shape=False)
    for i in tf.range(tf.shape(x)[0]):
        pieces = pieces.write(i, tf.tile(x[i][tf.newaxis], [counts[i], 1]))
    return pieces.concat()


@tf.function
def beside(x):
    rows, width = x.shape
    pieces = tf.TensorArray(tf.float32, size=tf.shape(x)[0], infer_shape=False)
    for i in tf.range(tf.shape(x)[0]):
        pieces = pieces.write(i, tf.transpose(tf.reshape(x[i], [width, 1]) * tf.cast(i + 1, tf.float32)))
    return tf.transpose(pieces.concat())
