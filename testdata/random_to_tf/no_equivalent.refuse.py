# refused: no-equivalent
import random

import numpy as np
import tensorflow as tf


@tf.function
def step(x):
    return x * random.vonmisesvariate(0.0, 1.0)
