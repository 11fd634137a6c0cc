from tensorflow import keras
from tensorflow.keras import layers


class Encoder(keras.Model):
    def __init__(self, units):
        super().__init__()
        self.units = units

    def call(self, x):
        return self._head(self._body(x, 16))

    def _body(self, x, width, activation="relu"):
        return layers.Dense(width, activation=activation)(x)

    def _head(self, x):
        return layers.Dense(self.units)(x)
