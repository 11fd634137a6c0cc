# refused: depends-on-unknown-dimension
from tensorflow import keras
from tensorflow.keras import layers


class Batch(layers.Layer):
    def call(self, x):
        return layers.Dense(x.shape[0])(x)


class Width(layers.Layer):
    def call(self, x):
        _, h, w, c = x.shape
        return layers.Resizing(h // 2, w // 2)(layers.Dense(w)(x))
