# refused: size-not-understood
import random

import numpy as np
import tensorflow as tf


@tf.function
def step(x, size):
    return x * np.random.normal(0.0, 1.0, size)
