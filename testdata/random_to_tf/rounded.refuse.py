# refused: value-of-python
import random

import numpy as np
import tensorflow as tf


@tf.function
def step(x):
    return x * round(random.uniform(0, 4))
