from tensorflow import keras
from tensorflow.keras import layers


class Stack(keras.Model):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.blocks = [layers.Dense(4) for _ in range(3)]
        self.dense_layers = [
            layers.Dense(units, activation=activation) for activation, units in (("relu", 4), ("tanh", 2))
        ]

    def call(self, x):
        for block in self.blocks:
            x = x + block(x)
        for dense in self.dense_layers:
            x = dense(x)
        return x
