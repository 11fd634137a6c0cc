from tensorflow import keras
from tensorflow.keras import layers


class Tower(keras.Model):
    def __init__(self, widths=(8, 4)):
        super().__init__()
        self.widths = widths
        self.dense_layers = [layers.Dense(width, name=f"fc_{i}") for i, width in enumerate(self.widths)]

    def call(self, x):
        last = len(self.widths) - 1
        for i, width in enumerate(self.widths):
            x = self.dense_layers[i](x)
            if i < last:
                x = keras.activations.relu(x)
        return x


class Pairs(keras.Model):
    def __init__(self, widths=(8, 4), activations=("relu", None)):
        super().__init__()
        self.widths = widths
        self.activations = activations
        self.dense_layers = [
            layers.Dense(width, activation=activation)
            for i, (width, activation) in enumerate(zip(self.widths, self.activations))
        ]

    def call(self, x):
        for i, (width, activation) in enumerate(zip(self.widths, self.activations)):
            x = self.dense_layers[i](x) * (i + 1)
        return x
