# refused: in-place,function-stays-whole
import random

import numpy as np
import tensorflow as tf


@tf.function
def step(x, layers):
    random.shuffle(layers)
    for layer in layers:
        x = layer(x)
    return x * random.random()
