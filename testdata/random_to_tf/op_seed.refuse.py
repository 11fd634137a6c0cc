# refused: op-seed
import random

import numpy as np
import tensorflow as tf


def augment(image, mask):
    seed = random.randint(0, 1000)
    return tf.image.random_flip_left_right(image, seed=seed), tf.image.random_flip_left_right(mask, seed=seed)


def pipeline(dataset):
    return dataset.map(augment, num_parallel_calls=2)
