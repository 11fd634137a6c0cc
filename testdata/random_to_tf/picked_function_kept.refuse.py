# refused: choice
import random

import tensorflow as tf


def twice(fn, x):
    return fn(fn(x))


@tf.function
def passed_on(x):
    x = tf.nn.relu(x)
    return twice(random.choice([tf.nn.relu, tf.tanh]), x)


@tf.function
def shuffled(x):
    x = tf.nn.relu(x)
    fns = [tf.nn.relu, tf.tanh]
    for fn in random.sample(fns, x.shape[0]):
        x = fn(x)
    return x
