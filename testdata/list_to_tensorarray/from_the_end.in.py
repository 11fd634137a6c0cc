import tensorflow as tf


@tf.function
def returns(rewards: tf.Tensor, discount: float):
    found = []
    total = tf.zeros_like(rewards[0])
    for t in tf.range(tf.shape(rewards)[0] - 1, -1, -1):
        total = rewards[t] + discount * total
        found.insert(0, total)
    return tf.stack(found)


@tf.function
def turned(x):
    found = []
    for i in tf.range(tf.shape(x)[0]):
        found.append(x[i])
    return tf.stack(found[::-1])


@tf.function
def in_front(x):
    found = []
    for i in tf.range(tf.shape(x)[0]):
        found = [x[i] * 2.0] + found
    return tf.stack(found)


@tf.function
def positive_in_front(x):
    found = [tf.zeros_like(x[0])]
    for i in tf.range(tf.shape(x)[0]):
        if tf.reduce_sum(x[i]) > 0.0:
            found.insert(0, x[i])
    return tf.stack(found)


@tf.function
def down(x):
    found = []
    n = tf.shape(x)[0]
    for i in tf.range(n, 0, -1):
        found.append(x[i - 1])
    return tf.stack(found)
