# refused: kept-on-self

import tensorflow as tf
from tensorflow import keras


class Probe(keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.dense = keras.layers.Dense(units)
        self.history = []

    def call(self, x):
        h = self.dense(x)
        self.history.append(h)
        return tf.nn.relu(h)


class Walk(tf.Module):
    @tf.function
    def run(self, x: tf.Tensor):
        self.path = []
        for i in tf.range(tf.shape(x)[0]):
            self.path.append(x[i])
        return tf.stack(self.path)

    def length(self):
        return len(self.path)
