from tensorflow import keras
from tensorflow.keras import layers


class Twice(layers.Layer):
    def call(self, x):
        return self.block(self.block(x))

    def block(self, x):
        return layers.Dense(3)(x)


class Widths(layers.Layer):
    def __init__(self, width):
        super().__init__()
        self.width = width

    def call(self, x, training=False):
        x = self._block(x, self.width, training)
        for factor in (2, 3):
            x = self._block(x, factor * self.width, training=training, activation="tanh")
        return x

    def _block(self, x, width, training, activation="relu"):
        dense = layers.Dense(width, activation=activation)
        x = layers.Dropout(0.1)(dense(x), training=training)
        return x


class Nested(keras.Model):
    def __init__(self, dim, out_dim):
        super().__init__()
        self.dim = dim
        self.out_dim = out_dim

    def call(self, a, b):
        def residual(h, scale=1.0):
            y = layers.Dense(self.dim, activation="relu")(h)
            return h + scale * layers.LayerNormalization()(y)

        head = lambda h: layers.Dense(self.out_dim)(h)
        left = residual(residual(a), scale=0.5)
        right = residual(b)
        return head(left), head(right)


def conv_block(inputs, filters, kernel_size=3, activate=True):
    x = layers.Conv2D(filters, kernel_size, padding="same", use_bias=False)(inputs)
    x = layers.BatchNormalization()(x)
    if activate:
        x = layers.ReLU(max_value=6.0)(x)
    return x


def build_stem(size):
    inputs = keras.Input((size, size, 3))
    return keras.Model(inputs, conv_block(inputs, 4), name="stem")


class Detector(keras.Model):
    def __init__(self, size, n_out):
        super().__init__()
        self.stem = build_stem(size)
        self.n_out = n_out

    def call(self, images, training=False):
        x = self.stem(images, training=training)
        x = conv_block(x, 6)
        return conv_block(x, self.n_out, kernel_size=1, activate=False)
