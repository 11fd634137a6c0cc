# refused: no-autograph

import tensorflow as tf
from tensorflow import keras


class Rnn(keras.layers.Layer):
    def __init__(self, cell):
        super().__init__()
        self.cell = cell

    def call(self, x):
        """A state is carried, so this is no tf.map_fn."""
        h = tf.zeros_like(x[:, 0])
        outputs = []
        for t in tf.range(tf.shape(x)[1]):
            h = tf.tanh(x[:, t] + h)
            outputs.append(h)
        return tf.stack(outputs, axis=1)


class Layers(keras.layers.Layer):
    """A layer could be built inside of the map."""

    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(2)

    def call(self, x):
        outputs = []
        for b in tf.range(tf.shape(x)[0]):
            outputs.append(self.dense(x[b]))
        return tf.stack(outputs)


class Branch(keras.layers.Layer):
    def call(self, x):
        outputs = []
        for b in tf.range(tf.shape(x)[0]):
            row = x[b]
            if tf.reduce_sum(row) > 0.0:
                row = -row
            outputs.append(row)
        return tf.stack(outputs)


class Either(keras.layers.Layer):
    def call(self, x):
        sums = tf.reduce_sum(x, axis=1)
        return tf.stack([v if v > 0.0 else -v for v in sums])
