# refused: runs-when-traced,state-outside
import random

import tensorflow as tf

RATE = 0.1
options = {"scale": 1.0}


def set_rate(value):
    global RATE
    RATE = value


def step_with_rate(x):
    @tf.function
    def step(x):
        return x * RATE

    return step(x)


def scaled(x):
    return x * options["scale"]


def step_with_options(x):
    return tf.function(scaled)(x)


def noisy(x):
    @tf.function
    def step(x):
        return x + random.random()

    return step(x)


class Trainer:
    def __init__(self):
        self.scale = 1.0

    def fit(self, x):
        @tf.function
        def step(x):
            return x * self.scale

        self.scale = self.scale * 0.9
        return step(x)


def run(x):
    trainer = Trainer()
    for _ in range(10):
        step_with_rate(x)
        step_with_options(x)
        noisy(x)
        trainer.fit(x)
