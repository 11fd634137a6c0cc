# refused: state-in-loop
import tensorflow as tf


def run(model, values):
    for value in values:
        step = tf.function(lambda x: model(x))
        print(step(value))
        model.trainable = False
