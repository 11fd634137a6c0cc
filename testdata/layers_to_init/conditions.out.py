from tensorflow import keras
from tensorflow.keras import layers


class Block(layers.Layer):
    def __init__(self, units, norm=True, rate=None):
        super().__init__()
        self.units = units
        self.norm = norm
        self.rate = rate
        self.dense = layers.Dense(self.units)
        if self.norm:
            self.layer_normalization = layers.LayerNormalization()
        else:
            self.dense_1 = layers.Dense(self.units, activation="relu")
        if self.rate is not None:
            self.dropout = layers.Dropout(self.rate)
        self.dense_2 = layers.Dense(self.units)

    def call(self, x, training=False, residual=None):
        y = self.dense(x)
        if self.norm:
            y = self.layer_normalization(y)
        else:
            y = self.dense_1(y)
        if training and self.rate is not None:
            y = self.dropout(y, training=True)
        if residual is not None:
            y = y + self.dense_2(residual)
        return y
