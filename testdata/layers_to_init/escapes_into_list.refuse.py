# refused: layer-escapes
from tensorflow import keras
from tensorflow.keras import layers


class Net(layers.Layer):
    def call(self, x):
        blocks = [layers.Dense(3), layers.Dense(4)]
        for block in blocks:
            x = block(x)
        return x
