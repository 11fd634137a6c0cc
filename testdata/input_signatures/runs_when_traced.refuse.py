# refused: runs-when-traced
import tensorflow as tf


def told(x):
    print("tracing")
    return x * 2.0


def run(values):
    for value in values:

        @tf.function
        def step(x):
            v = tf.Variable(1.0)
            return x * v

        print(step(value), tf.function(told)(value))
