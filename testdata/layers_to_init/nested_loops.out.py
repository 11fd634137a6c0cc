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
        self.mixers = [Mixer(self.dim) for _ in range(self.depth)]
        self.mixers_1 = [[Mixer(self.dim) for _ in range(self.width)] for _ in range(self.depth)]

    def call(self, x):
        for mixer, mixer_row in zip(self.mixers, self.mixers_1):
            x = mixer(x)
            for mixer_1 in mixer_row:
                x = mixer_1(x) + x
        return x
