import tensorflow as tf
from tensorflow.keras import layers


class Built(layers.Layer):
    def __init__(self):
        super().__init__()
        self.dense = layers.Dense(3)

    def build(self, input_shape):
        self.dense.build(input_shape)
        super().build(input_shape)

    @tf.function
    def call(self, x):
        return self.dense(x)


class Stateless(layers.Layer):
    def __init__(self):
        super().__init__()
        self.flat = layers.Flatten()

    @tf.function
    def call(self, x):
        return self.flat(x)


class Plain(layers.Layer):
    def __init__(self):
        super().__init__()
        self.dense = layers.Dense(3)

    def call(self, x):
        return self.dense(x)
