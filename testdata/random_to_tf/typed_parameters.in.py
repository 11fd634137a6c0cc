import random

import tensorflow as tf


@tf.function
def scaled(x: tf.Tensor, times: int):
    return x * random.random() * times


@tf.function(input_signature=[tf.TensorSpec([None, 4], tf.float64)])
def signed(x):
    return x * random.uniform(0.5, 2.0)


class Noise(tf.Module):
    def __init__(self, spread):
        self.spread = spread

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32), tf.TensorSpec([None], tf.float32)])
    def both(self, x, y):
        noise = self.spread * random.gauss(0.0, 1.0)
        return x + noise, y
