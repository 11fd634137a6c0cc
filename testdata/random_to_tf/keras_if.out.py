import tensorflow as tf
from tensorflow import keras


class Block(keras.layers.Layer):
    def __init__(self, rate=0.5):
        super().__init__()
        self.rate = rate
        self.dense = keras.layers.Dense(4)

    def call(self, x, training=None):
        # Now and then without the bias.
        def if_drawn():
            return self.dense(x)

        def otherwise():
            return x

        if training:
            x = tf.cond(tf.random.uniform([]) < self.rate, if_drawn, otherwise)

        def if_drawn_2(x=x):
            # Both at once.
            y = x * 2.0
            x = y + 1.0  # and one more
            return y, x

        def otherwise_2():
            y = x
            return y, x

        y, x = tf.cond(tf.random.uniform([]) < self.rate, if_drawn_2, otherwise_2)
        return x + y
