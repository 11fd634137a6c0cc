import tensorflow as tf

SCALE = 2.0
bias = tf.Variable(1.0)


def squared(x):
    return tf.square(x) * SCALE


@tf.function
def distance(a, b):
    return tf.reduce_mean(squared(a - b)) + bias


def loss(x, target):
    return distance(x, target)


# Compiled.
@tf.function(jit_compile=True)
def _weighted_step(x, weights):
    return tf.reduce_sum(x * weights)


def weighted(x, weights: tf.Tensor):
    return _weighted_step(x, weights=weights) + _weighted_step(-x, weights=weights)


squared_function = tf.function(squared)


def other(x):
    step = squared_function
    return step(x)


def direct(x):
    return squared_function(x) + 1.0


class Trainer:
    def __init__(self, rate):
        self.rate = rate
        self.weights = tf.Variable([1.0, 2.0, 3.0])
    @tf.function
    def _step(self, batch):
        return tf.reduce_sum(batch * self.weights) * self.rate

    def fit(self, x):
        return self._step(x)


def run(n):
    x, trainer, found = tf.ones([3]), Trainer(0.5), []
    for _ in range(n):
        found += [loss(x, x + 1.0), weighted(x, x), other(x), direct(x), trainer.fit(x)]
    return found
