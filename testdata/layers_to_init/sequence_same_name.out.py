from tensorflow import keras
from tensorflow.keras import layers


class Classifier(keras.Model):
    def __init__(self, hidden, rate=0.1):
        super().__init__()
        self.hidden = hidden
        self.rate = rate
        self.dense = layers.Dense(self.hidden)
        self.dropout = layers.Dropout(self.rate)
        self.dense_1 = layers.Dense(self.hidden)
        self.dropout_1 = layers.Dropout(self.rate)
        self.logits = layers.Dense(10, name="logits")

    def call(self, x, training=None):
        x = self.dense(x)
        x = self.dropout(x, training=training)
        x = self.dense_1(x)
        x = self.dropout_1(x, training=training)
        return self.logits(x)
