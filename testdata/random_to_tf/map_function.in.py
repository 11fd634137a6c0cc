from random import random, randint

import numpy as np
import tensorflow as tf


def augment(image, label):
    if random() < 0.5:
        image = tf.image.flip_left_right(image)
    if np.random.rand(1) < 0.2:
        image = tf.image.adjust_brightness(image, np.random.uniform(-0.1, 0.1))
    image = tf.image.rot90(image, k=np.random.randint(4))
    image = tf.roll(image, randint(-2, 2), axis=0)
    return image, label


def pipeline(dataset):
    return dataset.map(augment, num_parallel_calls=2)
