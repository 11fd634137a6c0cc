import tensorflow as tf


@tf.function
def signs(x):
    found = tf.TensorArray(tf.int32, size=tf.shape(x)[0], element_shape=[])
    for i in tf.range(tf.shape(x)[0]):
        if x[i] > 0.0:
            found = found.write(i, 1)
        elif x[i] < 0.0:
            found = found.write(i, -1)
        else:
            found = found.write(i, 0)
    return found.stack()
