# refused: index
import random

import tensorflow as tf

GROWING = [tf.nn.relu, tf.tanh]
GROWING.append(tf.abs)


@tf.function
def past(x):
    x = tf.nn.relu(x)
    return [tf.nn.relu, tf.tanh][random.randint(0, 2)](x)


@tf.function
def grown(x):
    x = tf.nn.relu(x)
    return GROWING[random.randint(0, 1)](x)


@tf.function
def moved(x):
    x = tf.nn.relu(x)
    which = random.randint(0, 1)
    which = which + 1
    return [tf.nn.relu, tf.tanh, tf.abs][which](x)


class Open(tf.keras.layers.Layer):
    def __init__(self, ops):
        super().__init__()
        self.ops = ops

    def call(self, x):
        return self.ops[random.randrange(len(self.ops))](x)
