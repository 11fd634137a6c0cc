# refused: type-unknown
import random

import tensorflow as tf


@tf.function
def scaled(x):
    return x * random.random()


@tf.function
def mixed(batch):
    x, y = batch
    weight = random.random()
    return x * weight + y * (1.0 - weight)


@tf.function
def mask(x):
    return tf.cast(x > random.random(), tf.float32)


@tf.function
def added(x, y):
    return tf.add(x, random.uniform(-1.0, 1.0)), y
