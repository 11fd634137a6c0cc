# refused: no-autograph

import tensorflow as tf
from tensorflow import keras


class Filtered(keras.layers.Layer):
    """How many there are is known when the graph runs: XLA compiles no such array, and Keras uses XLA on GPUs."""

    def call(self, x):
        kept = []
        for i in tf.range(tf.shape(x)[0]):
            if tf.reduce_sum(x[i]) > 0.0:
                kept.append(x[i])
        return tf.stack(kept)


class Either(keras.layers.Layer):
    def call(self, x):
        sums = tf.reduce_sum(x, axis=1)
        return tf.stack([v if v > 0.0 else -v for v in sums])
