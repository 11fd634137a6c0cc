# refused: depends-on-tensor
from tensorflow import keras
from tensorflow.keras import layers


import tensorflow as tf


class Net(layers.Layer):
    def call(self, x):
        return layers.Rescaling(2.0)(layers.Dropout(tf.reduce_mean([0.1, 0.2]))(x))
