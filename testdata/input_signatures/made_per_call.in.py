import tensorflow as tf

SCALE = 2.0
bias = tf.Variable(1.0)


def squared(x):
    return tf.square(x) * SCALE


def loss(x, target):
    @tf.function
    def distance(a, b):
        return tf.reduce_mean(squared(a - b)) + bias

    return distance(x, target)


def weighted(x, weights: tf.Tensor):
    # Compiled.
    @tf.function(jit_compile=True)
    def step(x):
        return tf.reduce_sum(x * weights)

    return step(x) + step(-x)


def other(x):
    step = tf.function(squared)
    return step(x)


def direct(x):
    return tf.function(squared)(x) + 1.0


class Trainer:
    def __init__(self, rate):
        self.rate = rate
        self.weights = tf.Variable([1.0, 2.0, 3.0])

    def fit(self, x):
        @tf.function
        def step(batch):
            return tf.reduce_sum(batch * self.weights) * self.rate

        return step(x)


def run(n):
    x, trainer, found = tf.ones([3]), Trainer(0.5), []
    for _ in range(n):
        found += [loss(x, x + 1.0), weighted(x, x), other(x), direct(x), trainer.fit(x)]
    return found
