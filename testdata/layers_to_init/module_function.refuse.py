# refused: outside-class
import tensorflow as tf
from tensorflow.keras import layers


@tf.function
def looped(x):
    for _ in range(3):
        x = layers.Dense(3)(x)
    return x


@tf.function
def late(x):
    return layers.Dense(UNITS)(x)


UNITS = 4


def helper(x):
    return layers.Dense(3)(x)


@tf.function
def calls(x):
    return helper(helper(x))
