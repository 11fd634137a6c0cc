# refused: helper-called-more-than-once
from tensorflow import keras
from tensorflow.keras import layers


class Net(layers.Layer):
    def call(self, x):
        return self.block(self.block(x))

    def block(self, x):
        return layers.Dense(3)(x)
