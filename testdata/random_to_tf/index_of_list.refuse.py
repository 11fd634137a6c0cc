# refused: index
import random

import numpy as np
import tensorflow as tf


@tf.function
def step(x, models):
    return models[random.randint(0, 2)](x)
