from tensorflow import keras
from tensorflow.keras import layers


class Twice(layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.block_dense = layers.Dense(3)
        self.block_dense_1 = layers.Dense(3)

    def call(self, x):
        return self.block(self.block(x, dense=self.block_dense), dense=self.block_dense_1)

    def block(self, x, *, dense):
        return dense(x)


class Widths(layers.Layer):
    def __init__(self, width):
        super().__init__()
        self.width = width
        self.block_dense = layers.Dense(self.width, activation="relu")
        self.block_dense_layers = [layers.Dense(factor * self.width, activation="tanh") for factor in (2, 3)]
        self.block_dropout = layers.Dropout(0.1)
        self.block_dropout_layers = [layers.Dropout(0.1) for _ in (2, 3)]

    def call(self, x, training=False):
        x = self._block(x, self.width, training, dense=self.block_dense, dropout=self.block_dropout)
        for factor, dense, dropout in zip((2, 3), self.block_dense_layers, self.block_dropout_layers):
            x = self._block(
                x, factor * self.width, training=training, activation="tanh", dense=dense, dropout=dropout
            )
        return x

    def _block(self, x, width, training, activation="relu", *, dense, dropout):
        x = dropout(dense(x), training=training)
        return x


class Nested(keras.Model):
    def __init__(self, dim, out_dim):
        super().__init__()
        self.dim = dim
        self.out_dim = out_dim
        self.residual_dense = layers.Dense(self.dim, activation="relu")
        self.residual_dense_1 = layers.Dense(self.dim, activation="relu")
        self.residual_dense_2 = layers.Dense(self.dim, activation="relu")
        self.residual_layer_normalization = layers.LayerNormalization()
        self.residual_layer_normalization_1 = layers.LayerNormalization()
        self.residual_layer_normalization_2 = layers.LayerNormalization()
        self.head_dense = layers.Dense(self.out_dim)
        self.head_dense_1 = layers.Dense(self.out_dim)

    def call(self, a, b):
        def residual(h, scale=1.0, *, dense, layer_normalization):
            y = dense(h)
            return h + scale * layer_normalization(y)

        head = lambda h, *, dense: dense(h)
        left = residual(
            residual(a, dense=self.residual_dense, layer_normalization=self.residual_layer_normalization),
            scale=0.5,
            dense=self.residual_dense_1,
            layer_normalization=self.residual_layer_normalization_1,
        )
        right = residual(
            b, dense=self.residual_dense_2, layer_normalization=self.residual_layer_normalization_2
        )
        return head(left, dense=self.head_dense), head(right, dense=self.head_dense_1)


def conv_block(inputs, filters, kernel_size=3, activate=True, *, conv2d=None, batch_normalization=None):
    x = (conv2d or layers.Conv2D(filters, kernel_size, padding="same", use_bias=False))(inputs)
    x = (batch_normalization or layers.BatchNormalization())(x)
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
        self.conv_block_conv2d = layers.Conv2D(6, 3, padding="same", use_bias=False)
        self.conv_block_conv2d_1 = layers.Conv2D(self.n_out, 1, padding="same", use_bias=False)
        self.conv_block_batch_normalization = layers.BatchNormalization()
        self.conv_block_batch_normalization_1 = layers.BatchNormalization()

    def call(self, images, training=False):
        x = self.stem(images, training=training)
        x = conv_block(
            x, 6, conv2d=self.conv_block_conv2d, batch_normalization=self.conv_block_batch_normalization
        )
        return conv_block(
            x,
            self.n_out,
            kernel_size=1,
            activate=False,
            conv2d=self.conv_block_conv2d_1,
            batch_normalization=self.conv_block_batch_normalization_1,
        )
