# refused: layer-escapes,returned-layer
from tensorflow import keras
from tensorflow.keras import layers


class Returned(layers.Layer):
    def make(self, x):
        return layers.Dense(3), x

    def call(self, x):
        dense, y = self.make(x)
        return dense(y)


class Helped(layers.Layer):
    def make(self):
        return layers.Dense(3)

    def call(self, x):
        return self.head(x)

    def head(self, x):
        return self.make()(x)
