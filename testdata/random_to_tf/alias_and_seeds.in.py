"""No name for TensorFlow here."""

import random

import numpy as np
from tensorflow import function, reduce_sum


def seed_everything(seed):
    random.seed(seed)
    np.random.seed(seed)


@function
def step(x):
    return reduce_sum(x) * random.random()


seed_everything(1)
