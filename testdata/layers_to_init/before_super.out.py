import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Net(keras.Model):
    def __init__(self, units, name=None, **kwargs):
        """Two layers."""
        size = units * 2
        # Keras's part
        super().__init__(name=name, **kwargs)
        self.units = units
        self.first = layers.Dense(size)
        self.rest = []
        for _ in range(2):
            self.rest.append(layers.Dense(units))
        self.last = layers.Dense(1)

    def call(self, x):
        x = self.first(x)
        for layer in self.rest:
            x = layer(x)
        return self.last(x)


class Scaled(keras.Model):
    def __init__(self):
        super(Scaled, self).__init__()
        self.scale = self.add_weight(name="scale", shape=(), initializer="ones")
        self.dense = layers.Dense(3)

    def call(self, x):
        return self.dense(x) * self.scale


class Weighted(layers.Layer):
    def __init__(self, width):
        super().__init__()
        if width > 3:
            self.w = self.add_weight(shape=(width,), initializer="ones")

    def call(self, x):
        return x * 2
