# refused: name-shadowed-in-init
from tensorflow import keras
from tensorflow.keras import layers


units = 4


class Net(layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.n = units

    def call(self, x):
        return layers.Dense(units)(x)
