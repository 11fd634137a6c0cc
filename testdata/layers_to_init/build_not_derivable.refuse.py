# refused: build-not-derivable
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Residual(keras.Model):
    def __init__(self):
        super().__init__()
        self.one = layers.Dense(8)
        self.two = layers.Dense(8)

    @tf.function
    def call(self, x):
        if tf.reduce_sum(x) > 0.0:
            x = -x
        return self.two(x + self.one(x))


class Own(layers.Layer):
    def __init__(self):
        super().__init__()
        self.inner = Residual()

    @tf.function
    def call(self, x):
        return self.inner(x)


class Helped(layers.Layer):
    def __init__(self):
        super().__init__()
        self.dense = layers.Dense(3)

    @tf.function
    def call(self, x):
        return self.head(x)

    def head(self, x):
        return self.dense(x)


class TwoInputs(layers.Layer):
    def __init__(self):
        super().__init__()
        self.dense = layers.Dense(3)

    @tf.function(jit_compile=True)
    def call(self, x, state):
        return self.dense(x) + state
