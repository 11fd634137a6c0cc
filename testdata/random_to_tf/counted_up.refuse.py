# refused: kept
import random

import numpy as np
import tensorflow as tf


@tf.function
def step(x):
    total = 0
    for _ in range(3):
        total += random.random()
    return x * total
