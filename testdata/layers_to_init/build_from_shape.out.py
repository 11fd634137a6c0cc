from tensorflow import keras
from tensorflow.keras import layers


class Last(layers.Layer):
    def build(self, input_shape):
        self.dense = layers.Dense(input_shape[-1], activation="relu")
        super().build(input_shape)

    def call(self, x):
        return self.dense(x)


class Unpacked(layers.Layer):
    """Squeeze and excite."""

    def __init__(self, ratio=4, **kwargs):
        super().__init__(**kwargs)
        self.ratio = ratio

    def build(self, input_shape):
        self.conv2d = layers.Conv2D(input_shape[-1] // self.ratio, 1, activation="relu")
        self.conv2d_1 = layers.Conv2D(input_shape[-1], 1, activation="sigmoid")
        super().build(input_shape)

    def call(self, inputs):
        _, h, w, c = inputs.shape
        x = self.conv2d(inputs)
        x = self.conv2d_1(x)
        return inputs * x * (h * w)


class Extended(layers.Layer):
    def __init__(self):
        super().__init__()
        self.width = None
        self.dense_1 = layers.Dense(8)

    def build(self, shape):
        self.width = 2 * shape[-1]
        self.dense = layers.Dense(self.width)
        super().build(shape)

    def call(self, x):
        return self.dense(self.dense_1(x))


class Two(layers.Layer):
    def build(self, input_shape):
        self.dense = layers.Dense(input_shape[1][-1])
        super().build(input_shape)

    def call(self, inputs, training=None):
        left, right = inputs
        left = self.dense(left)
        return left + right


class Named(layers.Layer):
    def build(self, input_shape):
        self.dense = layers.Dense(input_shape["query"][-1])
        super().build(input_shape)

    def call(self, inputs):
        query = inputs["query"]
        return self.dense(inputs["value"])


class Grown(layers.Layer):
    def __init__(self):
        super().__init__()
        self.sizes = []

    def build(self, input_shape):
        self.sizes.append(input_shape[-1])
        self.dense_layers = [layers.Dense(size) for size in self.sizes]
        self.built = True

    def call(self, x):
        for dense in self.dense_layers:
            x = dense(x)
        return x


class Residual(layers.Layer):
    def __init__(self, filters, strides=1, name=None):
        super().__init__(name=name)
        self.filters = filters
        self.strides = strides

    def build(self, input_shape):
        if input_shape[-1] != self.filters or self.strides > 1:
            self.conv2d = layers.Conv2D(self.filters, 1, strides=self.strides, use_bias=False)
        super().build(input_shape)

    def call(self, inputs):
        shortcut = inputs
        if inputs.shape[-1] != self.filters or self.strides > 1:
            shortcut = self.conv2d(inputs)
        return shortcut
