from tensorflow import keras
from tensorflow.keras import layers


class Block(layers.Layer):
    def __init__(self, config):
        super().__init__()
        self.config = config

    def call(self, x):
        rate = self.config["rate"]
        units = self.config["units"] * 2
        x = layers.Dense(units)(x)
        y = layers.Dropout(rate)(x)
        return y * units
