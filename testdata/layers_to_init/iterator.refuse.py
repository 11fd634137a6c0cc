# refused: attribute-changes-later
from tensorflow.keras.layers import Dense, Layer


class Block(Layer):
    def __init__(self, sizes):
        super().__init__()
        self.sizes = zip(sizes, sizes)

    def call(self, x):
        for size, name in self.sizes:
            x = Dense(size)(x) * name
        return x
