# refused: numpy-operation
import random

import numpy as np
import tensorflow as tf


@tf.function
def step(x):
    return x * np.sqrt(random.random())
