# refused: calls-itself
import functools

from tensorflow.keras.layers import Dense, Layer


def twice(method):
    @functools.wraps(method)
    def both(self, x):
        return method(self, method(self, x))

    return both


class Recursive(Layer):
    def call(self, x, depth=2):
        x = Dense(3)(x)
        return x if depth == 0 else self.call(x, depth - 1)


class Base(Layer):
    def call(self, x):
        return Dense(3)(x)


class Twice(Base):
    def call(self, x):
        return super().call(super().call(x))


class Decorated(Layer):
    @twice
    def call(self, x):
        return Dense(3)(x)
