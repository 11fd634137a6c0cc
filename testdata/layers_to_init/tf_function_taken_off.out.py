import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Residual(keras.Model):
    def __init__(self):
        super().__init__()
        self.one = layers.Dense(8)
        self.two = layers.Dense(8)

    def call(self, x):
        return self.two(x + self.one(x))


class Encoder(keras.Model):
    def __init__(self, tokens, width):
        super().__init__()
        self.embedding = layers.Embedding(tokens, width)
        self.gru = layers.GRU(width, return_sequences=True, return_state=True)

    # Called with each batch's own length.
    def call(self, x, hidden):
        x = self.embedding(x)
        output, state = self.gru(x, initial_state=hidden)
        return tf.nn.relu(output), state
