# refused: argument-calls-code
from tensorflow import keras
from tensorflow.keras import layers


class Net(layers.Layer):
    def width(self):
        return 3

    def call(self, x):
        return layers.Dense(self.width())(x)
