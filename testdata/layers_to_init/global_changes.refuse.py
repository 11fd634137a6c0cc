# refused: global-changes
from tensorflow import keras
from tensorflow.keras import layers


RATE = 0.1


def louder():
    global RATE
    RATE = 0.5


class Net(layers.Layer):
    def call(self, x):
        return layers.Dropout(RATE)(x)
