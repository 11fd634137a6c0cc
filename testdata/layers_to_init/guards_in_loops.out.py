from tensorflow.keras.layers import Dense, Layer


class Block(Layer):
    def __init__(self, sizes, skip):
        super().__init__()
        self.sizes = sizes
        self.skip = skip
        self.dense_layers = [Dense(3) for _ in self.sizes]

    def call(self, x):
        for dense in self.dense_layers:
            if self.skip:
                return x
            x = dense(x)
        return x


class Checked(Layer):
    def __init__(self, units=None):
        super().__init__()
        self.units = units
        self.dense = Dense(self.units)

    def call(self, x):
        if not isinstance(x, list):
            raise ValueError("give it a list")
        if len(x) == 1:
            raise ValueError("of more than one")
        return self.dense(x[0])


class Helped(Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.helper_dense = Dense(3)
        self.helper_dense_1 = Dense(3)

    def call(self, x):
        return self.helper(self.helper(x, dense=self.helper_dense), dense=self.helper_dense_1)

    def helper(self, x, *, dense):
        x = dense(x)
        return x
