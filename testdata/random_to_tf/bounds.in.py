import random

import numpy as np
import tensorflow as tf

N = 10


class Bounds(tf.keras.layers.Layer):
    def __init__(self, n):
        super().__init__()
        self.n = n

    def call(self, x):
        rows = tf.gather(x, random.randint(0, self.n - 1)) + tf.gather(x, random.randrange(N))
        rows += tf.gather(x, np.random.randint(0, x.shape[0] - 1)) + tf.gather(x, np.random.randint(x.shape[0]))
        rows += tf.gather(x, random.randrange(1, self.n)) + x[random.randint(-3, -1)]
        flipped = tf.image.stateless_random_hue(x, 0.1, seed=(random.randint(0, 2**31 - 1), 0))
        return rows + flipped + random.getrandbits(1) * 2 - random.randint(1, 2) / 2
