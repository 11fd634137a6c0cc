# refused: seed,function-stays-whole
import random

import numpy as np
import tensorflow as tf


@tf.function
def step(x):
    random.seed(1)
    return x * random.random()
