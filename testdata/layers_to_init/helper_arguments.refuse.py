# refused: depends-on-call-argument,in-data-dependent-loop,guard-cannot-move
from tensorflow import keras
from tensorflow.keras import layers


class FromCall(layers.Layer):
    def call(self, x, rate):
        return self.block(self.block(x, rate), 0.1)

    def block(self, x, rate):
        return layers.Dropout(rate)(x)


class UnknownLoop(layers.Layer):
    def call(self, x, n):
        for _ in range(n):
            x = self.block(x)
        return x

    def block(self, x):
        return layers.Dense(3)(x)


class Guarded(layers.Layer):
    def call(self, x):
        return self.block(self.block(x, None), 0.1)

    def block(self, x, rate):
        if rate is not None:
            x = layers.Dropout(rate)(x)
        return x
