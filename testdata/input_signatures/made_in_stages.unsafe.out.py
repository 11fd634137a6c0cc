import tensorflow as tf


def run(model, batches):
    @tf.function
    def step(x):
        return model(x)

    for batch in batches:
        model.unfreeze()
        step(batch)
