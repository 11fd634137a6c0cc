import tensorflow as tf
from tensorflow.keras import layers


class Decoder(layers.Layer):
    def __init__(self):
        super().__init__()
        self.cell = layers.GRUCell(3)
        self.out = layers.Dense(2)

    def call(self, targets, state, ratio=0.5):
        outputs = []
        given = tf.zeros_like(targets[:, 0])
        for t in range(targets.shape[1]):
            h, state = self.cell(given, state)
            guess = self.out(h)
            outputs.append(guess)

            def if_drawn():
                return targets[:, t]

            def otherwise():
                return guess

            given = tf.cond(tf.random.uniform([]) < ratio, if_drawn, otherwise)
        return tf.stack(outputs, axis=1)
