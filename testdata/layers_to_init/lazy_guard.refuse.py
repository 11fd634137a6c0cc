# refused: lazy-guard
from tensorflow import keras
from tensorflow.keras import layers


class AskedElsewhere(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = None

    def call(self, x):
        if self.dense is None:
            self.dense = layers.Dense(3)
        return self.dense(x)

    def width(self):
        return 0 if self.dense is None else self.dense.units


class DoesMore(keras.Model):
    def call(self, x):
        if not hasattr(self, "dense"):
            print("first call")
            self.dense = layers.Dense(3)
        return self.dense(x)


class OtherTest(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = None

    def call(self, x, training=False):
        if self.dense is None and training:
            self.dense = layers.Dense(3)
        return x if self.dense is None else self.dense(x)


class Else(keras.Model):
    def call(self, x):
        if not hasattr(self, "dense"):
            self.dense = layers.Dense(3)
        else:
            x = x * 2
        return self.dense(x)
