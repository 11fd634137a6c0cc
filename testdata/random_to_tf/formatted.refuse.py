# refused: value-of-python
import random

import numpy as np
import tensorflow as tf


@tf.function
def step(x):
    scale = random.random()
    print(f"scaled by {scale}")
    return x * scale
