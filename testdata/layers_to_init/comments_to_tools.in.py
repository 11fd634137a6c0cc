from tensorflow.keras.layers import Dense, Layer


class Block(Layer):
    def call(self, x):
        # type: (Tensor) -> Tensor
        first = Dense(3)
        # fmt: off
        second   =   Dense(4)
        # fmt: on
        x = first(x)
        # a word to the reader
        third = Dense(5)
        return third(second(x))
