from tensorflow import keras
from tensorflow.keras import layers


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.scale = self.add_weight(shape=(), initializer="ones")
        self.scaled = layers.Lambda(lambda t: t * self.scale)
        self.flat = layers.Lambda(lambda t: layers.Flatten()(t))

    def call(self, x):
        return self.scaled(self.flat(x))


def make_model():
    inputs = keras.Input((4,))
    return keras.Model(inputs, layers.Lambda(lambda t: t * 2.0)(inputs))
