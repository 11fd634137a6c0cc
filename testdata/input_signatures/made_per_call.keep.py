import tensorflow as tf


def make_step(model):
    @tf.function
    def step(x):
        return model(x)

    return step


def once(x):
    @tf.function
    def step(x):
        return x + 1.0

    return step(x)


def handed_on(strategy, x):
    @tf.function
    def step(x):
        return x + 1.0

    return strategy.run(step, x)


def sometimes(x, compiled):
    if compiled:

        @tf.function
        def step(x):
            return x + 1.0

        return step(x)
    return x + 1.0


def run(models, strategy, x):
    for model in models:
        make_step(model)(x)
        handed_on(strategy, x)
        sometimes(x, True)
    return once(x)
