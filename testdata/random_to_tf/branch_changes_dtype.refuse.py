# refused: branch-types
import random

import numpy as np
import tensorflow as tf


def augment(image):
    if np.random.rand() < 0.5:
        image = tf.cast(image, tf.float32) / 255.0
    return image


def pipeline(dataset):
    return dataset.map(augment, num_parallel_calls=2)
