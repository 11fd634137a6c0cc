from tensorflow import keras
from tensorflow.keras import layers


class Scale(layers.Layer):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def call(self, x):
        return x * self.factor


class Net(keras.Model):
    def call(self, x):
        return Scale(2.0)(x)
