from tensorflow import keras
from tensorflow.keras import layers


class Tower(keras.Model):
    def __init__(self, widths=(8, 4)):
        super().__init__()
        self.widths = widths
        self.dense_layers = [layers.Dense(width) for width in self.widths]
        self.batch_normalization_layers = [layers.BatchNormalization() for _ in self.widths]

    def call(self, x, training=False):
        for dense, batch_normalization in zip(self.dense_layers, self.batch_normalization_layers):
            x = dense(x)
            x = batch_normalization(x, training=training)
        return x
