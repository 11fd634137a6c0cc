# refused: kept
import random

import numpy as np
import tensorflow as tf


class Net(tf.keras.Model):
    def call(self, x):
        self.last = random.random()
        return x * self.last
