# refused: init-runs-call
from tensorflow.keras.layers import Dense, Layer


class Block(Layer):
    def __init__(self, units):
        super().__init__(); self.units = units; self.build((None, 3))

    def call(self, x):
        return Dense(self.units)(x)
