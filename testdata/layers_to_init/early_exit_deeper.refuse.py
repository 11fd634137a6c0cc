# refused: guard-cannot-move
from tensorflow.keras.layers import Dense, Layer


class Deeper(Layer):
    def __init__(self, units=None, strict=False):
        super().__init__()
        self.units = units
        self.strict = strict

    def call(self, x):
        if self.units is None:
            if self.strict:
                return x
        return Dense(self.units)(x)
