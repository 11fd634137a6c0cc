"""The model that is trained."""

import random

import tensorflow as tf

from .blocks import Gate
from .towers import Tower


class Recommender(tf.keras.Model):
    def __init__(self, use_gate=True):
        super().__init__()
        self.use_gate = use_gate
        self.customer = Tower()
        self.goods = Tower(sizes=(8,))

    def call(self, inputs, training=False):
        customer, goods = inputs
        customer = self.customer(customer, training=training)
        goods = self.goods(goods, training=training)
        if self.use_gate:
            customer = Gate()(customer, goods)
        return tf.keras.layers.Dense(1)(customer * goods)


@tf.function
def jitter(prices: tf.Tensor):
    """Moves all prices by the same random factor: the same one for ever, once it is traced."""
    return prices * random.uniform(0.9, 1.1)
