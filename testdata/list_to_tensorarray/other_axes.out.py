import tensorflow as tf


@tf.function
def second(x: tf.Tensor):
    found = tf.TensorArray(x.dtype, size=tf.shape(x)[1])
    for t in tf.range(tf.shape(x)[1]):
        found = found.write(t, tf.nn.relu(x[:, t]))
    found = found.stack()
    return tf.transpose(found, tf.concat([[1, 0], tf.range(2, tf.rank(found))], axis=0))


@tf.function
def last(x: tf.Tensor):
    found = tf.TensorArray(x.dtype, size=tf.shape(x)[1])
    for t in tf.range(tf.shape(x)[1]):
        found = found.write(t, x[:, t])
    found = found.stack()
    return tf.transpose(found, tf.concat([tf.range(1, tf.rank(found)), [0]], axis=0))


@tf.function
def of_matrices(x):
    batch, steps, features = x.shape
    found = tf.TensorArray(x.dtype, size=steps)
    for t in tf.range(steps):
        found = found.write(t, x[:, t])
    found = found.stack()
    return tf.transpose(found, [1, 0, 2]), tf.transpose(found, [1, 2, 0])


@tf.function
def of_numbers(x: tf.Tensor):
    found = tf.TensorArray(x.dtype, size=tf.shape(x)[0], element_shape=[])
    for t in tf.range(tf.shape(x)[0]):
        found = found.write(t, tf.reduce_sum(x[t]))
    return found.stack()
