# refused: returned,also-runs-untraced
import random

import numpy as np
import tensorflow as tf


def flip_a_coin():
    return random.random() < 0.5


def noise_like(x):
    return np.random.normal(size=x.shape)


def strength():
    return random.uniform(0.5, 2.0)


@tf.function
def step(x):
    x = tf.nn.relu(x)
    if flip_a_coin():
        x = -x
    return x + noise_like(x) * strength()


print(strength())
