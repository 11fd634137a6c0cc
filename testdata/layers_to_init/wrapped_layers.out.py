from tensorflow import keras
from tensorflow.keras import layers


class Tagger(keras.Model):
    def __init__(self, units, n_tags):
        super().__init__()
        self.units, self.n_tags = units, n_tags
        self.bidirectional = layers.Bidirectional(layers.LSTM(self.units, return_sequences=True))
        self.head = keras.Sequential(
            [
                layers.Dense(self.units, activation="relu"),  # wide
                layers.Dropout(0.5),
            ],
            name="head",
        )
        self.time_distributed = layers.TimeDistributed(layers.Dense(self.n_tags))

    def call(self, x):
        x = self.bidirectional(x)
        x = self.head(x)
        return self.time_distributed(x)
