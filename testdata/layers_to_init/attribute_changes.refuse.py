# refused: attribute-changes-later
from tensorflow import keras
from tensorflow.keras import layers


class Net(layers.Layer):
    def __init__(self):
        super().__init__()
        self.units = 3

    def widen(self):
        self.units = 2 * self.units

    def call(self, x):
        return layers.Dense(self.units)(x)
