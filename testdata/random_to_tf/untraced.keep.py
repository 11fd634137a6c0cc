import random

import numpy as np
import tensorflow as tf

np.random.seed(0)


class Frozen(tf.keras.layers.Layer):
    def __init__(self, n):
        super().__init__()
        self.matrix = np.random.normal(size=(n, n)).astype("float32")

    def build(self, shape):
        self.order = np.random.permutation(shape[-1])

    def call(self, x):
        return tf.gather(x @ self.matrix, self.order, axis=1)


class Batches(tf.keras.utils.Sequence):
    def __getitem__(self, index):
        return np.random.rand(4) * random.random()

    def on_epoch_end(self):
        random.shuffle(self.order)


def generator():
    while True:
        yield random.random()


def pipeline():
    return tf.data.Dataset.from_generator(generator, tf.float32)
