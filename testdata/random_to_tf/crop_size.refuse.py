# refused: structure
import random

import numpy as np
import tensorflow as tf


@tf.function
def step(x):
    size = np.random.randint(2, 8)
    return x[:, :size]
