import tensorflow as tf


@tf.function
def returns(rewards: tf.Tensor, discount: float):
    found = tf.TensorArray(rewards.dtype, size=tf.shape(rewards)[0])
    total = tf.zeros_like(rewards[0])
    for t in tf.range(tf.shape(rewards)[0] - 1, -1, -1):
        total = rewards[t] + discount * total
        found = found.write(t, total)
    return found.stack()


@tf.function
def turned(x):
    found = tf.TensorArray(x.dtype, size=tf.shape(x)[0], element_shape=x.shape[1:])
    for i in tf.range(tf.shape(x)[0]):
        found = found.write(i, x[i])
    return tf.reverse(found.stack(), [0])


@tf.function
def in_front(x):
    found = tf.TensorArray(x.dtype, size=tf.shape(x)[0])
    for i in tf.range(tf.shape(x)[0]):
        found = found.write(tf.shape(x)[0] - i - 1, x[i] * 2.0)
    return found.stack()


@tf.function
def positive_in_front(x):
    found = tf.TensorArray(x.dtype, size=0, dynamic_size=True, element_shape=x.shape[1:])
    found = found.write(0, tf.zeros_like(x[0]))
    for i in tf.range(tf.shape(x)[0]):
        if tf.reduce_sum(x[i]) > 0.0:
            found = found.write(found.size(), x[i])
    return tf.reverse(found.stack(), [0])


@tf.function
def down(x):
    n = tf.shape(x)[0]
    found = tf.TensorArray(x.dtype, size=n, element_shape=x.shape[1:])
    for i in tf.range(n, 0, -1):
        found = found.write(n - i, x[i - 1])
    return found.stack()
