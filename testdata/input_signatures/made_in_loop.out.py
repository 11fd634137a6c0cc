import tensorflow as tf


def double(x):
    return x * 2.0


def square(x):
    return tf.square(x)


def run(values, weights):
    found = []
    double_function = tf.function(double)
    for value in values:
        found.append(double_function(tf.constant(value)))

    # Compiled.
    @tf.function(jit_compile=True)
    def weighted(x):
        return tf.reduce_sum(x * weights)

    for _ in range(10):
        found.append(weighted(tf.ones([3])))

    total = 0.0
    step = tf.function(square, autograph=False)
    while total < 10.0:
        for value in values:
            total += float(step(tf.constant(value)))
    return found, total
