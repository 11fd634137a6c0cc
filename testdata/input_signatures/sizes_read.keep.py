import tensorflow as tf


@tf.function(jit_compile=True)
def compiled(x):
    return tf.reshape(x, [x.shape[0], -1])


@tf.function
def of_a_configuration(config, x):
    return tf.reshape(x, [config.shape[0], -1])


@tf.function
def compared(x):
    if x.shape[0] > 1:
        return tf.reduce_mean(x)
    return tf.reduce_sum(x)


@tf.function
def seen_out(x):
    return tf.reduce_mean(x), x.shape[0]


@tf.function
def divides_what(x, y):
    return tf.reduce_sum(x) / y / x.shape[0]


@tf.function
def halves(x):
    n = x.shape[0]
    n = n // 2
    return tf.reshape(x, [n, 2])


@tf.function
def seen_by(net, x):
    return net(tf.reshape(x, [x.shape[0], -1]))


@tf.function
def once(x):
    return tf.reshape(x, [x.shape[0], -1])


def run():
    return once(tf.zeros([2, 3]))
