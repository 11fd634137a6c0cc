"""Building blocks of the towers."""

import tensorflow as tf
from tensorflow.keras import layers

from .settings import DROPOUT_RATE


class Residual(layers.Layer):
    """A dense layer with a shortcut around it."""

    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units
        self.shortcut = layers.Dense(units, use_bias=False)

    def call(self, inputs, training=False):
        x = layers.Dense(self.units, activation="relu", name="hidden")(inputs)
        x = layers.Dropout(DROPOUT_RATE)(x, training=training)  # only while training
        return layers.LayerNormalization()(x + self.shortcut(inputs))


class Gate(layers.Layer):
    """Weighs two views of the same customer."""

    def call(self, first, second):
        # how much of the first view to let through
        gate = layers.Dense(1, activation="sigmoid")
        weight = gate(tf.concat([first, second], axis=-1))
        return weight * first + (1.0 - weight) * second
