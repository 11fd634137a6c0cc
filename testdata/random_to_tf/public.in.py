import random

import numpy as np
import tensorflow as tf


def penalty(real, fake):
    eps = np.random.uniform(0.0, 1.0, size=(real.shape[0], 1))
    mixed = eps * real + (1.0 - eps) * fake
    return tf.reduce_mean(mixed)


def negatives(features, k):
    index = np.random.choice(features.shape[0], k, replace=False)
    return tf.gather(features, index)


def classes(class_ids, weights, num_classes):
    chosen = np.random.choice(class_ids, size=num_classes, p=weights)
    return tf.constant(chosen, dtype=tf.int32)


def mirrored(image):
    return tf.reverse(image, [0])


def doubled(image):
    return image * 2.0


def augmented(image):
    return random.choice([mirrored, doubled])(image)


class Noise(tf.Module):
    def noisy(self, x):
        return tf.nn.relu(x) + random.gauss(0.0, 0.1)
