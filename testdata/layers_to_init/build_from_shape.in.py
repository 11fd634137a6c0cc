from tensorflow import keras
from tensorflow.keras import layers


class Last(layers.Layer):
    def call(self, x):
        return layers.Dense(x.shape[-1], activation="relu")(x)


class Unpacked(layers.Layer):
    """Squeeze and excite."""

    def __init__(self, ratio=4, **kwargs):
        super().__init__(**kwargs)
        self.ratio = ratio

    def call(self, inputs):
        _, h, w, c = inputs.shape
        x = layers.Conv2D(c // self.ratio, 1, activation="relu")(inputs)
        x = layers.Conv2D(c, 1, activation="sigmoid")(x)
        return inputs * x * (h * w)


class Extended(layers.Layer):
    def __init__(self):
        super().__init__()
        self.width = None

    def build(self, shape):
        self.width = 2 * shape[-1]
        super().build(shape)

    def call(self, x):
        return layers.Dense(self.width)(layers.Dense(8)(x))


class Two(layers.Layer):
    def call(self, inputs, training=None):
        left, right = inputs
        width = right.shape.as_list()[-1]
        left = layers.Dense(width)(left)
        return left + right


class Named(layers.Layer):
    def call(self, inputs):
        query = inputs["query"]
        return layers.Dense(keras.backend.int_shape(query)[-1])(inputs["value"])


class Grown(layers.Layer):
    def __init__(self):
        super().__init__()
        self.sizes = []

    def build(self, input_shape):
        self.sizes.append(input_shape[-1])
        self.built = True

    def call(self, x):
        for size in self.sizes:
            x = layers.Dense(size)(x)
        return x


class Residual(layers.Layer):
    def __init__(self, filters, strides=1, name=None):
        super().__init__(name=name)
        self.filters = filters
        self.strides = strides

    def call(self, inputs):
        shortcut = inputs
        if inputs.shape[-1] != self.filters or self.strides > 1:
            shortcut = layers.Conv2D(self.filters, 1, strides=self.strides, use_bias=False)(inputs)
        return shortcut
