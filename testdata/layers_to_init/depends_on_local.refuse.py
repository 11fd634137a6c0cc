# refused: depends-on-local
from tensorflow import keras
from tensorflow.keras import layers


class Net(layers.Layer):
    def __init__(self):
        super().__init__()
        self.units = 4

    def call(self, x, wide=False):
        units = self.units
        if wide:
            units = units * 2
        return layers.Dense(units)(x)
