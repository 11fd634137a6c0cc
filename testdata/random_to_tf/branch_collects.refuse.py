# refused: branch
import random

import numpy as np
import tensorflow as tf


class Encoder(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.blocks = [tf.keras.layers.Dense(4) for _ in range(3)]

    def call(self, x, training=None):
        states = ()
        for block in self.blocks:
            if training and random.uniform(0, 1) < 0.1:
                continue
            x = block(x)
            states = states + (x,)
            self.count = len(states)
        return x, states
