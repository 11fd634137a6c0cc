# refused: passed-on
import random

import numpy as np
import tensorflow as tf


from somewhere import stretch


@tf.function
def step(x):
    return stretch(x, random.random())
