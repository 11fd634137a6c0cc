# refused: lazy-guard
from tensorflow import keras
from tensorflow.keras import layers


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = None

    def call(self, x):
        if self.dense is None:
            self.dense = layers.Dense(3)
        return self.dense(x)
