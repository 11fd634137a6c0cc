from tensorflow import keras
from tensorflow.keras import layers


class Tower(keras.Model):
    def __init__(self, widths=(8, 4)):
        super().__init__()
        self.widths = widths

    def call(self, x):
        last = len(self.widths) - 1
        for i, width in enumerate(self.widths):
            x = layers.Dense(width, name=f"fc_{i}")(x)
            if i < last:
                x = keras.activations.relu(x)
        return x


class Pairs(keras.Model):
    def __init__(self, widths=(8, 4), activations=("relu", None)):
        super().__init__()
        self.widths = widths
        self.activations = activations

    def call(self, x):
        for i, (width, activation) in enumerate(zip(self.widths, self.activations)):
            x = layers.Dense(width, activation=activation)(x) * (i + 1)
        return x
