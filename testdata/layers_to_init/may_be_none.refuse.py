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


class OnlyNone(Layer):
    def __init__(self, units=None, strict=False):
        super().__init__()
        self.units = units
        self.strict = strict

    def call(self, x):
        if self.strict:
            if x.shape.rank == 2:
                return x
        if self.units is not None:
            return x
        return Dense(self.units)(x)
