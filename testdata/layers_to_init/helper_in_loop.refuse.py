# refused: helper-called-more-than-once
from tensorflow import keras
from tensorflow.keras import layers


class Net(layers.Layer):
    def call(self, x):
        for _ in range(3):
            x = self.block(x)
        return x

    def block(self, x):
        return layers.Dense(3)(x)
