# refused: guard-cannot-move
from tensorflow.keras.layers import Dense, Layer


class Auxiliary(Layer):
    def __init__(self, units, extra_units=None):
        super().__init__()
        self.units, self.extra_units = units, extra_units

    def call(self, x, with_extra=False):
        if with_extra:
            x = Dense(self.extra_units)(x)
        return x
