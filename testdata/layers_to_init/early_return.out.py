from tensorflow import keras
from tensorflow.keras import layers


class Maybe(layers.Layer):
    def __init__(self, rate=None):
        super().__init__()
        self.rate = rate
        if self.rate is not None:
            self.dropout = layers.Dropout(self.rate)

    def call(self, x, training=False):
        if self.rate is None:
            return x
        return self.dropout(x, training=training)
