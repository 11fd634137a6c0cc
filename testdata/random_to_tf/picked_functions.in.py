import random

import numpy as np
import tensorflow as tf


def shift(image, mask):
    return tf.roll(image, 1, axis=0), tf.roll(mask, 1, axis=0)


def mirror(image, mask):
    return tf.reverse(image, [0]), tf.reverse(mask, [0])


def scale(image, mask):
    image = image * 2.0
    return image, mask


AUGMENTATIONS = [shift, mirror, scale]


def augment_one(image, mask):
    fn = random.choice(AUGMENTATIONS)
    return fn(image, mask)


def augment_some(image, mask, k=2):
    for fn in random.sample(AUGMENTATIONS, k):
        image, mask = fn(image, mask)
    return AUGMENTATIONS[np.random.randint(len(AUGMENTATIONS))](image, mask)


def load(dataset):
    return dataset.map(augment_one), dataset.map(augment_some)


@tf.function
def activate(x):
    x = tf.identity(x)
    x = random.choice([tf.nn.relu, tf.tanh])(x)
    which = random.randint(0, 1)
    # The same one for both.
    return (tf.abs, tf.square)[which](x) - (tf.abs, tf.square)[which](x + 1.0)
