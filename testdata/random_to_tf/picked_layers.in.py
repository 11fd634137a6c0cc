import random

import numpy as np
import tensorflow as tf


class Paths(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.left = tf.keras.layers.Dense(4, activation="relu")
        self.right = tf.keras.layers.Dense(4)
        self.ops = [tf.keras.layers.Dense(4) for _ in range(3)]
        self.twists = [
            tf.keras.layers.Activation("tanh"),
            tf.keras.layers.ReLU(),
            tf.keras.layers.LayerNormalization(),
        ]
        self.pair = [tf.keras.layers.BatchNormalization(), tf.keras.layers.Activation("tanh")]

    def call(self, x, training=None):
        x = random.choice([self.left, self.right])(x)
        x = self.ops[np.random.randint(len(self.ops))](x)
        twist = random.randrange(3)
        x = self.twists[twist](x)
        op = self.pair[random.randint(0, 1)]
        return op(x, training=training)
