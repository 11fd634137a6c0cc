# refused: never-applied
from tensorflow import keras
from tensorflow.keras import layers


class Net(layers.Layer):
    def call(self, x):
        layers.Dense(3)
        return x
