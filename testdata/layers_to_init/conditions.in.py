from tensorflow import keras
from tensorflow.keras import layers


class Block(layers.Layer):
    def __init__(self, units, norm=True, rate=None):
        super().__init__()
        self.units = units
        self.norm = norm
        self.rate = rate

    def call(self, x, training=False, residual=None):
        y = layers.Dense(self.units)(x)
        if self.norm:
            y = layers.LayerNormalization()(y)
        else:
            y = layers.Dense(self.units, activation="relu")(y)
        if training and self.rate is not None:
            y = layers.Dropout(self.rate)(y, training=True)
        if residual is not None:
            y = y + layers.Dense(self.units)(residual)
        return y
