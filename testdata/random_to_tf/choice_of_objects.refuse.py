# refused: choice
import random

import numpy as np
import tensorflow as tf


@tf.function
def step(x):
    mode = random.choice(["relu", "tanh"])
    return tf.nn.relu(x) if mode == "relu" else tf.tanh(x)
