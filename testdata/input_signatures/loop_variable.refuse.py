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
