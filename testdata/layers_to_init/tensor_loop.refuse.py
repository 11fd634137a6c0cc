# refused: in-data-dependent-loop
from tensorflow import keras
from tensorflow.keras import layers


import tensorflow as tf


class Net(layers.Layer):
    def call(self, x):
        for _ in tf.range(tf.shape(x)[1]):
            x = layers.Dense(3)(x)
        return x
