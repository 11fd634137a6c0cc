from tensorflow import keras
from tensorflow.keras import layers


class Tiny(keras.Model):
    """No __init__ at all; hyper-parameters are class attributes."""

    hidden = 5
    n_out = 2

    def call(self, inputs):
        x = layers.Dense(self.hidden)(layers.LayerNormalization()(inputs))
        if (skip := layers.Dense(self.hidden, use_bias=False)) is not None:
            x = x + skip(inputs)
        return layers.Dense(self.n_out)(x)


class First(layers.Layer):
    def call(self, x):
        return layers.Dense(3)(x)
