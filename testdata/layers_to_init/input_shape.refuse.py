# refused: depends-on-input-shape
from tensorflow import keras
from tensorflow.keras import layers


class Net(layers.Layer):
    def call(self, x):
        return layers.Dense(x.shape[-1])(x)
