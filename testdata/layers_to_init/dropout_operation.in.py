import tensorflow as tf
from tensorflow.keras import layers


class Annealed(layers.Layer):
    def __init__(self, floor=0.1, **kwargs):
        super().__init__(**kwargs)
        self.floor = floor

    def call(self, x, rate, training=False):
        rate = max(float(rate), self.floor)
        return layers.Dropout(rate)(x, training=training)


class Scaled(layers.Layer):
    def call(self, x, rate, training=False):
        return 2.0 * layers.Dropout(rate=rate)(x, training=training)  # twice
