from tensorflow import keras
from tensorflow.keras import layers


class Net(keras.Model):
    def __init__(self): super().__init__()

    def call(self, x): return layers.Dense(3)(x)
