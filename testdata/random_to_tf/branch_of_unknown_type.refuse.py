# refused: branch-types
import random

import numpy as np
import tensorflow as tf


from somewhere import distort


@tf.function
def step(x):
    if random.random() < 0.5:
        x = distort(x)
    return x
