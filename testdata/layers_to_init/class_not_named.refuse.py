# refused: class-not-named
import functools

from tensorflow.keras import layers
from tensorflow.keras.layers import Dense, Layer

ReluDense = functools.partial(Dense, activation="relu")


class Partial(Layer):
    def call(self, x):
        x = functools.partial(Dense, activation="relu")(4)(x)
        return ReluDense(4)(x)


class LookedUp(Layer):
    def __init__(self, kind, config):
        super().__init__()
        self.kind = kind
        self.config = config

    def call(self, x):
        x = getattr(layers, self.kind)(3)(x)
        x = layers.deserialize(self.config)(x)
        return Dense.from_config(self.config)(x)


class HandedIn(Layer):
    head = Dense

    def __init__(self, body=Dense):
        super().__init__()
        self.body = body

    def call(self, x, tail=Dense):
        return tail(3)(self.head(4)(self.body(5)(x)))
