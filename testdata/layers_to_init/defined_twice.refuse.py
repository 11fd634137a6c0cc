# refused: defined-twice
import os

from tensorflow.keras.layers import Dense, Layer

if os.name == "posix":

    class Block(Layer):
        def __init__(self, units):
            super().__init__()
            self.units = units

        def call(self, x):
            return Dense(self.units)(x)

else:

    class Block(Layer):
        def call(self, x):
            return Dense(4)(x)


class Head(Layer):
    if os.name == "posix":

        def call(self, x):
            return Dense(3)(x)

    else:

        def call(self, x):
            return Dense(4)(x)
