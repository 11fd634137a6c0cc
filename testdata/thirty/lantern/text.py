"""Notes: bags of words, attention over them."""

import random

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class BagOfWords(keras.Model):
    def __init__(self, vocabulary=20, size=4):
        super().__init__()
        self.vocabulary = vocabulary
        self.size = size

    def call(self, ids):
        vectors = layers.Embedding(self.vocabulary, self.size)(ids)
        return tf.reduce_mean(vectors, axis=1)


class AttentionPool(layers.Layer):
    """One vector for a sequence, weighted by a learned score."""

    def call(self, sequence):
        scores = layers.Dense(1, use_bias=False, name="score")(sequence)
        weights = tf.nn.softmax(scores, axis=1)
        return tf.reduce_sum(weights * sequence, axis=1)


class WordDropout(layers.Layer):
    """Scales a note by a random factor while training."""

    def __init__(self, low=0.5, high=1.0, **kwargs):
        super().__init__(**kwargs)
        self.low = low
        self.high = high

    def call(self, vectors, training=False):
        if training:
            return vectors * random.uniform(self.low, self.high)
        return vectors


class Frozen(keras.Model):
    """Compiled by hand, which freezes layers that are built inside of the trace."""

    def __init__(self):
        super().__init__()
        self.hidden = layers.Dense(8, activation="relu")
        self.out = layers.Dense(2)

    @tf.function
    def call(self, features):
        return self.out(self.hidden(features))
