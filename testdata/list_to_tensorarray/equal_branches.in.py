import tensorflow as tf


@tf.function
def signs(x):
    found = []
    for i in tf.range(tf.shape(x)[0]):
        if x[i] > 0.0:
            found.append(1)
        elif x[i] < 0.0:
            found.append(-1)
        else:
            found.append(0)
    return tf.stack(found)
