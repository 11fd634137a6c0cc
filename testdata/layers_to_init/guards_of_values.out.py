from tensorflow.keras.layers import Dense, Layer


class Block(Layer):
    def __init__(self, mode, units):
        super().__init__()
        self.mode = mode
        self.units = units
        if self.mode != "none":
            self.dense = Dense(self.units)

    def call(self, x):
        mode = self.mode
        if mode == "none":
            return x
        return self.dense(x)


class Chain(Layer):
    def __init__(self, mode, units):
        super().__init__()
        self.mode = mode
        self.units = units
        if self.mode == "dense":
            self.dense = Dense(self.units)
        if self.mode in ("wide", "deep"):
            self.dense_1 = Dense(2 * self.units)
        if (
            self.mode not in ["ip", "dot"]
            and self.mode != "l1"
            and self.mode != "dense"
            and self.mode not in ("wide", "deep")
        ):
            self.dense_2 = Dense(1)

    def call(self, x):
        if self.mode in ["ip", "dot"]:
            x = x * x
        elif self.mode == "l1":
            x = abs(x)
        elif self.mode == "dense":
            x = self.dense(x)
        elif self.mode in ("wide", "deep"):
            x = self.dense_1(x)
        else:
            x = self.dense_2(x)
        return x


class Layout(Layer):
    def __init__(self, mode, units):
        super().__init__()
        self.mode = mode
        self.units = units
        if self.mode in {"one_of_the_many_modes_that_there_are_to_choose", "another"}:
            self.dense = Dense(self.units)
        if (self.mode) != ("one") and self.mode is None:
            self.dense_1 = Dense(self.units)

    def call(self, x):
        if self.mode in {'one_of_the_many_modes_that_there_are_to_choose',
                         'another'}:
            x = self.dense(x)
        if (self.mode) == ("one"): return x
        if self.mode is not None:
            return x
        return self.dense_1(x)
