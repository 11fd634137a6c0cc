from tensorflow import keras
from tensorflow.keras import layers


class Base(layers.Layer):
    def __init__(self, units, activation=None, **kwargs):
        super().__init__(**kwargs)
        self.units = units
        self.activation = activation


class Head(Base):
    def __init__(self, units, activation=None, **kwargs):
        super().__init__(units, activation, **kwargs)
        self.dense = layers.Dense(self.units, activation=self.activation)

    def call(self, x):
        return self.dense(x)


class Smooth(layers.Dense):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.layer_normalization = layers.LayerNormalization()

    def call(self, x):
        return self.layer_normalization(super().call(x))


class Twice(layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.dense = layers.Dense(3)

    def call(self, x):
        return self.dense(x)


class Thrice(Twice):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.dense_1 = layers.Dense(3)

    def call(self, x):
        return self.dense_1(super().call(x))
