from tensorflow import keras
from tensorflow.keras import layers


class IsNone(keras.Model):
    def __init__(self, units):
        super().__init__()
        self.units = units
        self.dense = None  # made at the first call

    def call(self, x):
        if self.dense is None:
            # as wide as asked for
            self.dense = layers.Dense(self.units)  # no activation
        return self.dense(x)


class HasAttribute(keras.Model):
    def call(self, x):
        if not hasattr(self, "dense"):
            self.dense = layers.Dense(x.shape[-1])
            self.norm = layers.LayerNormalization()
        return self.norm(self.dense(x))


class Flag(layers.Layer):
    def __init__(self):
        super().__init__()
        self._ready = False

    def call(self, x):
        if not self._ready:
            self.dense = layers.Dense(3)
            self._ready = True
        return self.dense(x)


class Built(layers.Layer):
    def call(self, x):
        if not self.built:
            self.dense = layers.Dense(3)
            self.built = True
        return self.dense(x)


class Unguarded(keras.Model):
    def call(self, x):
        self.dense = layers.Dense(3)
        self.out = layers.Dense(1)
        return self.out(self.dense(x))


class Conditional(keras.Model):
    def __init__(self, deep):
        super().__init__()
        self.deep = deep

    def call(self, x):
        if self.deep:
            if getattr(self, "dense", None) is None:
                self.dense = layers.Dense(3)
            x = self.dense(x)
        return x


class Both(keras.layers.Layer):
    def call(self, x):
        self.dense = dense = keras.layers.Dense(3)
        self.norm = norm = keras.layers.LayerNormalization()  # kept
        return norm(dense(x)) + dense(x)
