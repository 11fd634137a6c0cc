import tensorflow as tf


def make_step(model):
    @tf.function
    def step(x):
        return model(x)

    return step


def run(models, values):
    steps = [make_step(model) for model in models]
    for step in steps:
        for value in values:
            step(value)
    for name in ["a", "b"]:
        value = tf.function
        print(value, name)
