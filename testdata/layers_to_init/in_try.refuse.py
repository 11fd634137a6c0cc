# refused: in-unsupported-block
from tensorflow import keras
from tensorflow.keras import layers


class Net(layers.Layer):
    def call(self, x):
        try:
            return layers.Dense(3)(x)
        except ValueError:
            return x
