import tensorflow as tf


@tf.function
def ones(x: tf.Tensor):
    flags = tf.TensorArray(tf.bool, size=tf.shape(x)[0], element_shape=[])
    halves = tf.TensorArray(tf.float32, size=tf.shape(x)[0], element_shape=[])
    names = tf.TensorArray(tf.string, size=tf.shape(x)[0])
    for i in tf.range(tf.shape(x)[0]):
        flags = flags.write(i, True)
        halves = halves.write(i, 0.5)
        names = names.write(i, "row")
    return flags.stack(), halves.stack(), names.stack()


@tf.function
def steps(x: tf.Tensor):
    found = tf.TensorArray(tf.int32, size=tf.shape(x)[0], element_shape=[])
    for i in range(tf.shape(x)[0]):
        found = found.write(i, i * 2)
    return found.stack()
