import tensorflow as tf
from tensorflow.keras import layers


class Annealed(layers.Layer):
    def __init__(self, floor=0.1, **kwargs):
        super().__init__(**kwargs)
        self.floor = floor

    def call(self, x, rate, training=False):
        rate = max(float(rate), self.floor)
        return tf.nn.dropout(x, rate=rate) if training else x


class Scaled(layers.Layer):
    def call(self, x, rate, training=False):
        return 2.0 * (tf.nn.dropout(x, rate=rate) if training else x)  # twice
