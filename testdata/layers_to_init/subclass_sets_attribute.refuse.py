# refused: attribute-changes-later
from tensorflow import keras
from tensorflow.keras import layers


class Net(layers.Layer):
    def __init__(self):
        super().__init__()
        self.units = 3

    def call(self, x):
        return layers.Dense(self.units)(x)


class Wide(Net):
    def __init__(self):
        super().__init__()
        self.units = 30
