# refused: init-not-visible
from tensorflow import keras
from tensorflow.keras import layers


class Net(layers.Layer):
    if keras.backend.backend() == "tensorflow":

        def __init__(self):
            super().__init__()
            self.units = 3

    def call(self, x):
        return layers.Dense(4)(x)
