import tensorflow as tf


@tf.function
def second(x: tf.Tensor):
    found = []
    for t in tf.range(tf.shape(x)[1]):
        found.append(tf.nn.relu(x[:, t]))
    return tf.stack(found, axis=1)


@tf.function
def last(x: tf.Tensor):
    found = []
    for t in tf.range(tf.shape(x)[1]):
        found.append(x[:, t])
    return tf.stack(found, axis=-1)


@tf.function
def of_matrices(x):
    batch, steps, features = x.shape
    found = []
    for t in tf.range(steps):
        found.append(x[:, t])
    return tf.stack(found, axis=1), tf.stack(found, axis=-1)


@tf.function
def of_numbers(x: tf.Tensor):
    found = []
    for t in tf.range(tf.shape(x)[0]):
        found.append(tf.reduce_sum(x[t]))
    return tf.stack(found, axis=-1)
