# refused: whole-or-fraction
import random

import numpy as np
import tensorflow as tf


@tf.function
def step(x):
    k = random.randint(0, 2)
    return tf.gather(x, k) * (k * 0.5)
