import random

import numpy as np
import tensorflow as tf


@tf.function
def negatives(features, k=4):
    n = features.shape[0]
    idx = np.random.choice(n, k, replace=False)
    order = np.random.permutation(len(features))
    one = random.choice([0.5, 1.0, 2.0])
    sign = np.random.choice([-1, 1])
    weighted = np.random.choice(3, size=k, p=[0.2, 0.3, 0.5])
    row = random.choice(features)
    picked = tf.gather(features, idx) + tf.gather(features, order)[:k] + tf.gather(features, weighted)
    return (picked + row) * one * sign
