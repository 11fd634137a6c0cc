# refused: guard-cannot-move
from tensorflow import keras
from tensorflow.keras import layers


class Net(layers.Layer):
    def __init__(self, rate):
        super().__init__()
        self.rate = rate

    def call(self, x, scale):
        if self.rate * scale > 0:
            x = layers.Dropout(self.rate)(x)
        return x
