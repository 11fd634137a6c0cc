# refused: attribute-changes-later
from tensorflow import keras
from tensorflow.keras import layers


class Net(layers.Layer):
    def __init__(self):
        super().__init__()
        self.sizes = []

    def build(self, input_shape):
        self.sizes.append(input_shape[-1])

    def call(self, x):
        for size in self.sizes:
            x = layers.Dense(size)(x)
        return x
