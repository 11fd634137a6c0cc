import numpy as np
import tensorflow as tf


class Mixup(tf.keras.Model):
    def __init__(self, alpha=0.2):
        super().__init__()
        self.alpha = alpha
        self.dense = tf.keras.layers.Dense(4)

    def call(self, x, training=None):
        if training:
            weight = np.random.beta(self.alpha, self.alpha)
            x = weight * x + (1.0 - weight) * tf.reverse(x, [0])
            x = x + np.random.poisson(3.0)
        return self.dense(x)
