# refused: global-changes
from tensorflow.keras.layers import Dense, Layer


def reassigned():
    units = 3

    class Block(Layer):
        def call(self, x):
            return Dense(units)(x)

    units = 4
    return Block


def in_a_loop():
    blocks = []
    for units in (3, 4):

        class Block(Layer):
            def call(self, x):
                return Dense(units)(x)

        blocks.append(Block())
    return blocks


def counted():
    made = 3

    class Block(Layer):
        def call(self, x):
            nonlocal made
            made += 1
            return Dense(made)(x)

    return Block
