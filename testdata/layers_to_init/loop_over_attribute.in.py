from tensorflow import keras
from tensorflow.keras import layers


class Tower(keras.Model):
    def __init__(self, widths=(8, 4)):
        super().__init__()
        self.widths = widths

    def call(self, x, training=False):
        for width in self.widths:
            x = layers.Dense(width)(x)
            x = layers.BatchNormalization()(x, training=training)
        return x
