# refused: dtypes-differ
import random

import numpy as np
import tensorflow as tf


@tf.function
def step(x):
    scale = random.random()
    half = tf.cast(x, tf.float16) * scale
    return half, tf.cast(x, tf.float64) * scale
