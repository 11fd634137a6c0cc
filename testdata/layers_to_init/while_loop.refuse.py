# refused: in-data-dependent-loop
from tensorflow import keras
from tensorflow.keras import layers


class Net(layers.Layer):
    def call(self, x):
        n = 0
        while n < 3:
            x = layers.Dense(3)(x)
            n += 1
        return x
