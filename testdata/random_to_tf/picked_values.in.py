import random

import numpy as np
import tensorflow as tf

STRENGTHS = (0.1, 0.2, 0.3)


@tf.function
def step(x):
    x = tf.nn.relu(x)
    views = [x, tf.tanh(x), -x]
    x = views[random.randint(0, 2)] + random.choice([x, x + 1.0])
    strengths = [0.5, 1.0, 2.0]
    strength = strengths[random.randrange(3)]
    return x * strength
