from tensorflow import keras
from tensorflow.keras import layers


class Net(layers.Layer):
    def __init__(self):
        super().__init__()
        self.dense = layers.Dense(4)

    def build(self, input_shape):
        self.other = layers.Dense(input_shape[-1])
        super().build(input_shape)

    def call(self, x):
        return self.other(self.dense(x))
