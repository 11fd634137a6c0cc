import tensorflow as tf


def double(x):
    return x * 2.0


def square(x):
    return tf.square(x)


def run(values, weights):
    found = []
    for value in values:
        found.append(tf.function(double)(tf.constant(value)))

    for _ in range(10):
        # Compiled.
        @tf.function(jit_compile=True)
        def weighted(x):
            return tf.reduce_sum(x * weights)

        found.append(weighted(tf.ones([3])))

    total = 0.0
    while total < 10.0:
        for value in values:
            step = tf.function(square, autograph=False)
            total += float(step(tf.constant(value)))
    return found, total
