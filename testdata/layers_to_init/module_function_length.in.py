from tensorflow import keras
from tensorflow.keras import layers


class Stack(layers.Layer):
    """Empty until something is added, and false as long."""

    def __init__(self, units):
        super().__init__()
        self.parts = []
        self.dense = layers.Dense(units)

    def __len__(self):
        return len(self.parts)

    def call(self, x):
        return self.dense(x)


def project(x, units):
    return Stack(units)(x)


class Net(keras.Model):
    def call(self, x):
        return project(project(x, 3), 4)


def make_model():
    inputs = keras.Input((4,))
    return keras.Model(inputs, project(inputs, 3))
