import random

import numpy as np
import tensorflow as tf


def start(shape):
    return tf.Variable(np.random.normal(size=shape))


def shown(image):
    noisy = tf.nn.relu(image) + random.gauss(0.0, 0.1)
    return noisy.numpy()


def called(image):
    return tf.nn.relu(image) + random.gauss(0.0, 0.1)


def print_all(images):
    for image in images:
        print(called(image))


def batch(size):
    return np.random.normal(size=(size, 3)), tf.zeros([3])


def pick(words):
    return random.choice(words)


def report(model, x):
    x = tf.cast(x, tf.float32) * random.random()
    return model.predict(x)
