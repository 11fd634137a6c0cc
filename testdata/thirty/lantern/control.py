"""Layers that decide by what they see."""

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class ClipNorm(layers.Layer):
    def call(self, vectors):
        norm = tf.norm(vectors)
        if norm > 1.0:
            vectors = vectors / norm
        return vectors


class Bucket(layers.Layer):
    """Three ways for quiet, middling and loud recordings."""

    def call(self, steps):
        level = tf.reduce_mean(steps)
        if level > 0.5:
            scaled = steps - 1.0
        elif level > 0.0:
            scaled = steps + 1.0
        else:
            scaled = -steps
        return scaled


class HalveUntil(layers.Layer):
    def __init__(self, limit=0.25, **kwargs):
        super().__init__(**kwargs)
        self.limit = limit

    def call(self, steps):
        while tf.reduce_max(tf.abs(steps)) > self.limit:
            steps = steps / 2.0
        return steps


class SafeLog(layers.Layer):
    def call(self, values):
        assert tf.reduce_min(values) > 0.0, "not positive"
        return tf.math.log(values)


class EarlyExit(keras.Model):
    """Does not trouble its second layer with what is small."""

    def __init__(self):
        super().__init__()
        self.first = layers.Dense(3)
        self.second = layers.Dense(3)

    def call(self, features):
        first = self.first(features)
        if tf.norm(first) < 0.1:
            return first
        return first + self.second(first)


class LoggedClip(layers.Layer):
    """Tells the console, which a graph cannot do from a branch."""

    def call(self, steps):
        if tf.reduce_max(steps) > 1.0:
            print("clipped")
            steps = tf.minimum(steps, 1.0)
        return steps
