# refused: layer-escapes
from tensorflow import keras
from tensorflow.keras import layers


class Net(layers.Layer):
    def call(self, x):
        dense = layers.Dense(3)
        dense.trainable = False
        return dense(x)
