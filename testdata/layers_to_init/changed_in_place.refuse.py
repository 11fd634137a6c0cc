# refused: depends-on-local,in-data-dependent-loop,global-changes,class-stays-whole
import tensorflow as tf
from tensorflow.keras.layers import Add, Dense, Layer

SIZES = [3]


def fill(sizes):
    sizes.append(4)


class Appended(Layer):
    def call(self, x):
        sizes = []
        for i in range(3):
            sizes.append(i + 1)
        for size in sizes:
            x = Dense(size)(x)
        return x


class Keyword(Layer):
    def call(self, x):
        options = {"units": 3}
        options["activation"] = "relu"
        return Dense(**options)(x)


class Filled(Layer):
    def call(self, x):
        sizes = [3]
        fill(sizes)
        return Dense(sizes[-1])(x)


class OfTheModule(Layer):
    def call(self, x):
        SIZES.append(4)
        return Dense(SIZES[-1])(x)


class NoPartMoves(Layer):
    def call(self, inputs):
        parts = []
        for part in inputs:
            parts.append(tf.nn.relu(part))
        x = Dense(len(parts))(parts[0])
        return Dense(1)(x)
