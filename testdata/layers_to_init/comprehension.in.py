from tensorflow import keras
from tensorflow.keras import layers


class Heads(layers.Layer):
    def __init__(self, n_heads, **kwargs):
        super().__init__(**kwargs)
        self.n_heads = n_heads

    def call(self, x):
        heads = [layers.Dense(2, name=f"head_{i}")(x) for i in range(self.n_heads)]
        return keras.ops.concatenate(heads, axis=-1)
