from tensorflow import keras
from tensorflow.keras import layers


class Classifier(keras.Model):
    def __init__(self, hidden, rate=0.1):
        super().__init__()
        self.hidden = hidden
        self.rate = rate

    def call(self, x, training=None):
        x = layers.Dense(self.hidden)(x)
        x = layers.Dropout(self.rate)(x, training=training)
        x = layers.Dense(self.hidden)(x)
        x = layers.Dropout(self.rate)(x, training=training)
        return layers.Dense(10, name="logits")(x)
