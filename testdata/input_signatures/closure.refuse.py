# refused: closure
import tensorflow as tf


def predicted(model, x):
    @tf.function
    def step(x):
        return model(x)

    return step(x)


def powered(x, power):
    @tf.function
    def step(x):
        return x**power

    return step(x)


class Trainer:
    def fit(self, x, rate):
        @tf.function
        def step(x):
            return self.loss(x) * rate

        return step(x)

    def loss(self, x):
        return tf.reduce_sum(x)


def run(models, x, trainer: Trainer):
    for model in models:
        predicted(model, x)
        powered(x, 2)
    for _ in range(10):
        Trainer().fit(x, 0.1)
