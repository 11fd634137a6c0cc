"""No name for TensorFlow here."""

import random

import numpy as np
from tensorflow import function, reduce_sum
import tensorflow as tf


def seed_everything(seed):
    random.seed(seed)
    np.random.seed(seed)
    tf.random.set_seed(seed)


@function
def step(x):
    return reduce_sum(x) * tf.random.uniform([], dtype=x.dtype)


seed_everything(1)
