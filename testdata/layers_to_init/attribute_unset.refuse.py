# refused: attribute-not-set-in-init
from tensorflow import keras
from tensorflow.keras import layers


class Net(layers.Layer):
    def __init__(self):
        super().__init__()

    def call(self, x):
        return layers.Dense(self.units)(x)
