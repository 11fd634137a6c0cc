# refused: returned
import random

import numpy as np
import tensorflow as tf


def draw():
    return random.random()


@tf.function
def step(x):
    return x * draw()
