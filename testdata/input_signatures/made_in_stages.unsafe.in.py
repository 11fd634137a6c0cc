import tensorflow as tf


def run(model, batches):
    for batch in batches:

        @tf.function
        def step(x):
            return model(x)

        model.unfreeze()
        step(batch)
