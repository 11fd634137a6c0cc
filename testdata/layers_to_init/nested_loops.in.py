from tensorflow import keras
from tensorflow.keras import layers


class Mixer(layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.dense = layers.Dense(units)

    def call(self, x):
        return x + self.dense(x)


class Perceiver(keras.Model):
    def __init__(self, depth=2, width=2, dim=4):
        super().__init__()
        self.depth = depth
        self.width = width
        self.dim = dim

    def call(self, x):
        for _ in range(self.depth):
            x = Mixer(self.dim)(x)
            for _ in range(self.width):
                x = Mixer(self.dim)(x) + x
        return x
