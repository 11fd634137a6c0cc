from tensorflow import keras
from tensorflow.keras import layers


class Attention(layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units

    def call(self, query, values):
        # three projections
        w1 = layers.Dense(self.units, use_bias=False)  # of the query
        w2 = layers.Dense(self.units, use_bias=False)
        v = layers.Dense(1)
        score = v(keras.activations.tanh(w1(query) + w2(values)))
        return score * values
