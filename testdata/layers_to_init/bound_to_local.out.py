from tensorflow import keras
from tensorflow.keras import layers


class Attention(layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units
        # three projections
        self.w1 = layers.Dense(self.units, use_bias=False)  # of the query
        self.w2 = layers.Dense(self.units, use_bias=False)
        self.v = layers.Dense(1)

    def call(self, query, values):
        score = self.v(keras.activations.tanh(self.w1(query) + self.w2(values)))
        return score * values
