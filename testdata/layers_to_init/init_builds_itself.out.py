from tensorflow import keras
from tensorflow.keras import layers


class Net(keras.Model):
    def __init__(self, units):
        super().__init__()
        self.units = units
        self.dense = layers.Dense(self.units)
        self.build((None, 4))
        self.note = "built"

    def call(self, x):
        return self.dense(x)
