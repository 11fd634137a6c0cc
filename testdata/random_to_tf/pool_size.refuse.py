# refused: structure
import random

import numpy as np
import tensorflow as tf


class Pool(tf.keras.layers.Layer):
    def call(self, x):
        k = random.randint(1, 3)
        return tf.nn.max_pool2d(x, ksize=k, strides=k, padding="SAME")
