from tensorflow.keras.layers import Dense, Layer


class Block(Layer):
    def __init__(self, mode, units):
        super().__init__()
        self.mode = mode
        self.units = units

    def call(self, x):
        mode = self.mode
        if mode == "none":
            return x
        return Dense(self.units)(x)


class Chain(Layer):
    def __init__(self, mode, units):
        super().__init__()
        self.mode = mode
        self.units = units

    def call(self, x):
        if self.mode in ["ip", "dot"]:
            x = x * x
        elif self.mode == "l1":
            x = abs(x)
        elif self.mode == "dense":
            x = Dense(self.units)(x)
        elif self.mode in ("wide", "deep"):
            x = Dense(2 * self.units)(x)
        else:
            x = Dense(1)(x)
        return x


class Layout(Layer):
    def __init__(self, mode, units):
        super().__init__()
        self.mode = mode
        self.units = units

    def call(self, x):
        if self.mode in {'one_of_the_many_modes_that_there_are_to_choose',
                         'another'}:
            x = Dense(self.units)(x)
        if (self.mode) == ("one"): return x
        if self.mode is not None:
            return x
        return Dense(self.units)(x)
