"""What Keras 2 and 3 both take before ``super().__init__()``."""

from tensorflow import keras
from tensorflow.keras import layers


class Settings(keras.Model):
    def __init__(self, units):
        self.units = units
        self.sizes = [units, 2 * units]
        super().__init__()
        self.dense = layers.Dense(units)

    def call(self, x):
        return self.dense(x)


class KeepsLayer(layers.Layer):
    def __init__(self):
        self.dense = layers.Dense(3)
        self.more = []
        super().__init__()

    def call(self, x):
        return self.dense(x)


class Local(keras.Model):
    def __init__(self):
        dense = layers.Dense(3)
        super().__init__()
        self.dense = dense

    def call(self, x):
        return self.dense(x)


class Plain:
    def __init__(self):
        self.dense = layers.Dense(3)
        super().__init__()
