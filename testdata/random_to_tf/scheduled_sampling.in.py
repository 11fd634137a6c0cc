import random

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
            if random.random() < ratio:
                given = targets[:, t]
            else:
                given = guess
        return tf.stack(outputs, axis=1)
