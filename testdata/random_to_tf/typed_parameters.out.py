import tensorflow as tf


@tf.function
def scaled(x: tf.Tensor, times: int):
    return x * tf.random.uniform([], dtype=x.dtype) * times


@tf.function(input_signature=[tf.TensorSpec([None, 4], tf.float64)])
def signed(x):
    return x * tf.random.uniform([], 0.5, 2.0, dtype=x.dtype)


class Noise(tf.Module):
    def __init__(self, spread):
        self.spread = spread

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32), tf.TensorSpec([None], tf.float32)])
    def both(self, x, y):
        noise = self.spread * tf.random.normal([], 0.0, 1.0, dtype=x.dtype)
        return x + noise, y
