# refused: depends-on-call-argument,unsupported-argument
from tensorflow.keras.layers import Dense, Layer


class Default(Layer):
    def call(self, x, k):
        return Dense(3, activation=lambda t, k=k: t * k)(x)


class Inside(Layer):
    def call(self, x, k):
        return Dense(3, activation=lambda t: t * k)(x)


class LoopVariable(Layer):
    def call(self, x):
        for k in (1.0, 2.0):
            x = Dense(3, activation=lambda t: t * k)(x)
        return x
