# refused: in-nested-function

import tensorflow as tf


@tf.function
def collected(x: tf.Tensor):
    found = []

    def last():
        return found[-1]

    for i in tf.range(tf.shape(x)[0]):
        found.append(x[i])
    return last()


@tf.function
def written(x: tf.Tensor):
    array = tf.TensorArray(tf.float32, size=1)

    def put(value):
        array.write(0, value)

    put(x)
    return array.stack()
