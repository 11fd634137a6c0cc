from tensorflow import keras
from tensorflow.keras import layers


class Net(keras.Model):
    """Two layers, both made anew at each call."""

    def __init__(self):
        super().__init__()
        self.head = layers.Dense(1)
        self.dense = layers.Dense(4, activation="relu")
        self.batch_normalization = layers.BatchNormalization()

    def call(self, x):
        x = self.dense(x)  # widen
        # normalise before the head
        x = self.batch_normalization(x)
        return self.head(x)
