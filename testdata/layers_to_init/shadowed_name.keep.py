from tensorflow import keras
from tensorflow.keras import layers


class Net(keras.Model):
    def call(self, x, layers):
        return layers.Dense(3)(x)
