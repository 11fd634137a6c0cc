# refused: init-runs-call
from tensorflow import keras
from tensorflow.keras import layers


class Net(keras.Model):
    def __init__(self, units):
        super().__init__()
        self(keras.Input((4,)))
        self.units = units

    def call(self, x):
        return layers.Dense(self.units)(x)
