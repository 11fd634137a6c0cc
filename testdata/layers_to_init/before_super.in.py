import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Net(keras.Model):
    def __init__(self, units, name=None, **kwargs):
        """Two layers."""
        size = units * 2
        self.units = units
        self.first = layers.Dense(size)
        self.rest = []
        for _ in range(2):
            self.rest.append(layers.Dense(units))

        # Keras's part
        super().__init__(name=name, **kwargs)
        self.last = layers.Dense(1)

    def call(self, x):
        x = self.first(x)
        for layer in self.rest:
            x = layer(x)
        return self.last(x)


class Scaled(keras.Model):
    def __init__(self):
        self.scale = tf.Variable(1.0)
        super(Scaled, self).__init__()

    def call(self, x):
        return layers.Dense(3)(x) * self.scale


class Weighted(layers.Layer):
    def __init__(self, width):
        if width > 3:
            self.w = self.add_weight(shape=(width,), initializer="ones")
        super().__init__()

    def call(self, x):
        return x * 2
