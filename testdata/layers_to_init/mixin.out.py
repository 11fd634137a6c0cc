from tensorflow.keras.layers import Dense, Layer


class Head:
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.dense = Dense(3)

    def head(self, x):
        return self.dense(x)


class Net(Head, Layer):
    def __init__(self):
        super().__init__()

    def call(self, x):
        return self.head(x)


class Caller:
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.dense = Dense(4)

    def call(self, x):
        return self.dense(x)


class Other(Caller, Layer):
    pass
