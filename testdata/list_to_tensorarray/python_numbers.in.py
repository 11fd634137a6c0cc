import tensorflow as tf


@tf.function
def ones(x: tf.Tensor):
    flags, halves, names = [], [], []
    for _ in x:
        flags.append(True)
        halves.append(0.5)
        names.append("row")
    return tf.stack(flags), tf.stack(halves), tf.stack(names)


@tf.function
def steps(x: tf.Tensor):
    found = []
    for i in range(tf.shape(x)[0]):
        found.append(i * 2)
    return tf.stack(found)
