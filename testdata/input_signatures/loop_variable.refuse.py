# refused: loop-variable
import tensorflow as tf


def run(models, x):
    found = []
    for model in models:

        @tf.function
        def step(x):
            return model(x)

        found.append(step(x))
    return found


def carried(step, values):
    for value in values:
        print(step(value))

        @tf.function
        def step(x):
            return x + 1.0
