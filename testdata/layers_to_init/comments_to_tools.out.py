from tensorflow.keras.layers import Dense, Layer


class Block(Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.first = Dense(3)
        self.second = Dense(4)
        # a word to the reader
        self.third = Dense(5)

    def call(self, x):
        # type: (Tensor) -> Tensor
        first = self.first
        # fmt: off
        second   =   self.second
        # fmt: on
        x = first(x)
        return self.third(second(x))
