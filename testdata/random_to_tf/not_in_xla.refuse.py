# refused: not-in-xla
import random

import numpy as np
import tensorflow as tf


class Mixup(tf.keras.Model):
    def train_step(self, data):
        x, y = data
        lam = np.random.beta(0.2, 0.2)
        return {"loss": tf.reduce_mean(lam * x)}
