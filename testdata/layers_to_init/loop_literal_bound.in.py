from tensorflow import keras
from tensorflow.keras import layers


class Stack(keras.Model):
    def call(self, x):
        for _ in range(3):
            block = layers.Dense(4)
            x = x + block(x)
        for activation, units in (("relu", 4), ("tanh", 2)):
            dense = layers.Dense(units, activation=activation)
            x = dense(x)
        return x
