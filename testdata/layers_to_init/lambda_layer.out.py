from tensorflow import keras
from tensorflow.keras import layers


class Kept(keras.Model):
    def __init__(self, units):
        super().__init__()
        self.units = units
        self.project = layers.Dense(self.units, activation="relu")

    def call(self, x):
        return self.project(x)


class InCall(keras.Model):
    def __init__(self, units):
        super().__init__()
        self.units = units
        self.dense_layers = [layers.Dense(self.units) for _ in range(2)]

    def call(self, x):
        for dense in self.dense_layers:
            x = dense(x)
        return x


def make_model(width, units=3):
    inputs = keras.Input((width,))
    units = 2 * units
    hidden = layers.Dense(units)(inputs)
    head = layers.Dense(1, name="head")
    return keras.Model(inputs, head(hidden))
