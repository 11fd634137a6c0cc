# refused: arguments-not-understood
import random

import numpy as np
import tensorflow as tf


@tf.function
def step(x, **options):
    return x * np.random.normal(**options)
