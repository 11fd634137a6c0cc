import random

import tensorflow as tf


class Twist(tf.keras.layers.Layer):
    def call(self, x, training=None):
        way = random.random()
        if way < 0.3:
            x = tf.nn.relu(x)
        elif way < 0.6:
            x = -x
        else:
            x = x + 1.0
        if training:
            x = x * random.uniform(0.9, 1.1)
            if random.random() < 0.5:
                # Twice.
                y = x * 2.0
                if random.random() < 0.5:
                    y = y + 1.0
                x = y
        return x


@tf.function
def twist(x):
    x = tf.tanh(x)
    way = random.random()
    if way < 0.3:
        x = tf.nn.relu(x)
    elif way < 0.6:
        x = -x
    else:
        if random.random() < 0.5:
            x = x + 1.0
    return x
