# refused: structure
import random

import numpy as np
import tensorflow as tf


@tf.function
def step(x):
    for _ in range(random.randint(1, 3)):
        x = x * 2.0
    return x
