from tensorflow import keras
from tensorflow.keras import layers


class Kept(keras.Model):
    def __init__(self, units):
        super().__init__()
        self.units = units
        self.project = layers.Lambda(lambda t: layers.Dense(self.units, activation="relu")(t))

    def call(self, x):
        return self.project(x)


class InCall(keras.Model):
    def __init__(self, units):
        super().__init__()
        self.units = units

    def call(self, x):
        for _ in range(2):
            x = layers.Lambda(lambda t: layers.Dense(self.units)(t))(x)
        return x


def make_model(width, units=3):
    inputs = keras.Input((width,))
    units = 2 * units
    hidden = layers.Lambda(lambda t: layers.Dense(units)(t))(inputs)
    head = layers.Lambda(lambda v: layers.Dense(1, name="head")(v))
    return keras.Model(inputs, head(hidden))
