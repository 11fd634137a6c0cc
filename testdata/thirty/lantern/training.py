"""Augmentation and steps of training."""

import random

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import losses, metrics, optimizers

mse = losses.MeanSquaredError()


class StochasticDepth(keras.Model):
    def __init__(self, depth=2, drop=0.3):
        super().__init__()
        self.drop = drop
        self.blocks = [keras.layers.Dense(4) for _ in range(depth)]

    def call(self, features, training=None):
        for block in self.blocks:
            if training and random.uniform(0, 1) < self.drop:
                continue
            features = block(features)
        return features


@tf.function
def jitter(features: tf.Tensor):
    """A little noise, new each time."""
    return features + np.random.normal(0.0, 0.1, size=features.shape)


@tf.function
def rotate_phase(features: tf.Tensor):
    """A direction on the circle, for which TensorFlow has no draw."""
    return features * random.vonmisesvariate(0.0, 4.0)


@tf.function
def update_weights(model, features, target):
    """One step of plain gradient descent."""
    optimizer = optimizers.SGD(0.05)
    with tf.GradientTape() as tape:
        loss = mse(target, model(features, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


@tf.function
def error_of(target: tf.Tensor, predicted: tf.Tensor):
    """Of this batch alone."""
    error = metrics.MeanSquaredError()
    error.update_state(target, predicted)
    return error.result()


@tf.function
def decayed(weights, step):
    """Called with Python's own counter: traced anew for each number."""
    return weights / (1.0 + tf.cast(step, tf.float32))


def decay(weights, steps):
    """The weights after each of ``steps`` steps."""
    kept = []
    for step in range(steps):
        kept.append(decayed(weights, step))
    return kept
