# refused: set-on-self
from tensorflow import keras
from tensorflow.keras import layers


class SetTwice(keras.Model):
    def call(self, x):
        self.dense = layers.Dense(3)
        return self.dense(x)

    def reset(self):
        self.dense = layers.Dense(4)


class Reserved(keras.Model):
    def call(self, x):
        self.output = layers.Dense(3)
        return self.output(x)


class ValueInInit(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = layers.Dense(4)
        self.keep = self.dense

    def call(self, x):
        self.dense = layers.Dense(3)
        return self.dense(x)
