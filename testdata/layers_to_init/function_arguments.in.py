import tensorflow as tf
from tensorflow.keras.layers import Dense, Layer


class Block(Layer):
    def __init__(self, slope):
        super().__init__()
        self.slope = slope

    def call(self, x):
        slope = self.slope * 2
        x = Dense(3, activation=lambda t: tf.nn.leaky_relu(t, slope))(x)
        return Dense(4, activation=lambda t, k=self.slope: tf.maximum(t, k * t))(x)
