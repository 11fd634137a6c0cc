from tensorflow import keras
from tensorflow.keras import layers


class Maybe(layers.Layer):
    def __init__(self, rate=None):
        super().__init__()
        self.rate = rate

    def call(self, x, training=False):
        if self.rate is None:
            return x
        return layers.Dropout(self.rate)(x, training=training)
