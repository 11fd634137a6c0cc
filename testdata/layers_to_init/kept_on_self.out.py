from tensorflow import keras
from tensorflow.keras import layers


class IsNone(keras.Model):
    def __init__(self, units):
        super().__init__()
        self.units = units
        # as wide as asked for
        self.dense = layers.Dense(self.units)  # no activation

    def call(self, x):
        return self.dense(x)


class HasAttribute(keras.Model):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.norm = layers.LayerNormalization()

    def build(self, input_shape):
        self.dense = layers.Dense(input_shape[-1])
        super().build(input_shape)

    def call(self, x):
        return self.norm(self.dense(x))


class Flag(layers.Layer):
    def __init__(self):
        super().__init__()
        self.dense = layers.Dense(3)

    def call(self, x):
        return self.dense(x)


class Built(layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.dense = layers.Dense(3)

    def call(self, x):
        return self.dense(x)


class Unguarded(keras.Model):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.dense = layers.Dense(3)
        self.out = layers.Dense(1)

    def call(self, x):
        return self.out(self.dense(x))


class Conditional(keras.Model):
    def __init__(self, deep):
        super().__init__()
        self.deep = deep
        if self.deep:
            self.dense = layers.Dense(3)

    def call(self, x):
        if self.deep:
            x = self.dense(x)
        return x


class Both(keras.layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.dense = keras.layers.Dense(3)
        self.norm = keras.layers.LayerNormalization()  # kept

    def call(self, x):
        return self.norm(self.dense(x)) + self.dense(x)
