from tensorflow import keras
from tensorflow.keras import layers


class Encoder(keras.Model):
    def __init__(self, units):
        super().__init__()
        self.units = units
        self.dense = layers.Dense(16, activation="relu")
        self.dense_1 = layers.Dense(self.units)

    def call(self, x):
        return self._head(self._body(x, 16))

    def _body(self, x, width, activation="relu"):
        return self.dense(x)

    def _head(self, x):
        return self.dense_1(x)
