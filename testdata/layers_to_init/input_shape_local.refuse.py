# refused: depends-on-input-shape
from tensorflow import keras
from tensorflow.keras import layers


class Net(layers.Layer):
    def call(self, x):
        _, h, w, c = x.shape
        return layers.Conv2D(c * 2, 1)(x)
