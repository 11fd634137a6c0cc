from tensorflow.keras.layers import Dense, Layer


def make_block(units):
    rate = units * 2

    class Block(Layer):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            self.dense = Dense(units)
            self.dense_1 = Dense(rate)

        def call(self, x):
            x = self.dense(x)
            return self.dense_1(x)

    return Block
