# refused: unsupported-argument
from tensorflow import keras
from tensorflow.keras import layers


class Net(layers.Layer):
    def call(self, x):
        return layers.Lambda(lambda t: t)(layers.RNN(Cell(self))(x))


class Cell(layers.Layer):
    def __init__(self, owner):
        super().__init__()
        self.owner = owner


class Undefined(Layer):
    def call(self, x):
        return Dense(nowhere)(x)
