# refused: layer-escapes
from tensorflow.keras.layers import Dense, Layer


class Block(Layer):
    def call(self, x):
        def inner(t, dense=Dense(3)):
            return dense(t)

        return inner(inner(x))
