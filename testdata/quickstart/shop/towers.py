"""Towers turn features of customers and goods into vectors."""

import tensorflow as tf
from tensorflow.keras import layers

from . import settings
from .blocks import Residual


class Tower(layers.Layer):
    def __init__(self, sizes=settings.HIDDEN_SIZES, **kwargs):
        super().__init__(**kwargs)
        self.sizes = sizes

    def call(self, features, training=False):
        x = features
        for size in self.sizes:
            x = Residual(size)(x, training=training)
        return self._project(x)

    def _project(self, x):
        projection = layers.Dense(settings.EMBEDDING_SIZE)
        return tf.math.l2_normalize(projection(x), axis=-1)


class ScaledTower(layers.Layer):
    """As wide as its input."""

    def call(self, features):
        width = features.shape[-1]
        return layers.Dense(width, use_bias=False)(features)


class ElasticTower(layers.Layer):
    """Its width is an argument of the call: what should be one layer of several widths, only its owner can say."""

    def call(self, features, width):
        return layers.Dense(width)(features)
