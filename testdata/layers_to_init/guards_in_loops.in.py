from tensorflow.keras.layers import Dense, Layer


class Block(Layer):
    def __init__(self, sizes, skip):
        super().__init__()
        self.sizes = sizes
        self.skip = skip

    def call(self, x):
        for _ in self.sizes:
            if self.skip:
                return x
            x = Dense(3)(x)
        return x


class Checked(Layer):
    def __init__(self, units=None):
        super().__init__()
        self.units = units

    def call(self, x):
        if not isinstance(x, list):
            raise ValueError("give it a list")
        if len(x) == 1:
            raise ValueError("of more than one")
        return Dense(self.units)(x[0])


class Helped(Layer):
    def call(self, x):
        return self.helper(self.helper(x))

    def helper(self, x):
        dense = Dense(3); x = dense(x)
        return x
