from tensorflow import keras
from tensorflow.keras import layers


class Block(layers.Layer):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.dense = layers.Dense(self.config["units"] * 2)
        self.dropout = layers.Dropout(self.config["rate"])

    def call(self, x):
        units = self.config["units"] * 2
        x = self.dense(x)
        y = self.dropout(x)
        return y * units
