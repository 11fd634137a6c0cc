import tensorflow as tf
from tensorflow import keras


class Encoder(keras.Model):
    def __init__(self, depth=3, layerdrop=0.1):
        super().__init__()
        self.layerdrop = layerdrop
        self.blocks = [keras.layers.Dense(4) for _ in range(depth)]

    def call(self, x, training=None):
        for block in self.blocks:
            def if_drawn():
                return x

            def otherwise():
                return block(x)

            x = (
                tf.cond(tf.random.uniform([], 0, 1) < self.layerdrop, if_drawn, otherwise)
                if training
                else otherwise()
            )
        return x
