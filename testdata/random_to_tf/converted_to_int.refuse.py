# refused: value-of-python
import math
import random

import numpy as np
import tensorflow as tf


@tf.function
def turned(image):
    return tf.image.rot90(image, k=int(random.uniform(0, 4)))


@tf.function
def floored(x):
    x = tf.nn.relu(x)
    return x[math.floor(random.random() * 2)]


@tf.function
def rounded(x):
    x = tf.nn.relu(x)
    if round(np.random.rand()):
        x = -x
    return x
