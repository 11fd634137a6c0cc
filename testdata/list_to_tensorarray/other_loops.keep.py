"""Repeated (3l, 3m) and other collections of an object (3h)."""

import tensorflow as tf


class Sampler(tf.Module):
    def __init__(self, model, samples=5):
        super().__init__()
        self.model = model
        self.samples = samples
        self.losses = {}

    @tf.function
    def __call__(self, x):
        found = []
        for _ in range(self.samples):
            found.append(self.model(x, training=True))
        logs = []
        for name, loss in self.losses.items():
            logs.append(loss(x))
        return tf.reduce_mean(tf.stack(found), axis=0), logs
