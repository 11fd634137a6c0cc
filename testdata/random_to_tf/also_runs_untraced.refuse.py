# refused: also-runs-untraced
import random

import numpy as np
import tensorflow as tf


def scale(x):
    return x * random.random()


@tf.function
def step(x):
    return scale(x)


def preview(x):
    print(scale(x))
