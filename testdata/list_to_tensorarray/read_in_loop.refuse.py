# refused: read-in-loop

import tensorflow as tf


@tf.function
def fibonacci(n):
    numbers = [1, 1]
    for _ in tf.range(n):
        numbers.append(numbers[-1] + numbers[-2])
    return tf.stack(numbers)


@tf.function
def averages(x: tf.Tensor):
    found = []
    for i in tf.range(tf.shape(x)[0]):
        found.append(x[i])
        tf.print(tf.reduce_mean(found))
    return tf.stack(found)
