from tensorflow.keras.layers import Dense, Layer


class Head:
    def head(self, x):
        return Dense(3)(x)


class Net(Head, Layer):
    def __init__(self):
        super().__init__()

    def call(self, x):
        return self.head(x)


class Caller:
    def call(self, x):
        return Dense(4)(x)


class Other(Caller, Layer):
    pass
