from tensorflow import keras
from tensorflow.keras import layers


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = layers.Dense(3)

    def call(self, x): return self.dense(x)
