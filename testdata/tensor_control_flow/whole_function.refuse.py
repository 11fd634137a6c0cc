# refused: function-stays-whole,changes-attribute
import tensorflow as tf
from tensorflow import keras


class Net(keras.layers.Layer):
    def call(self, x):
        if tf.reduce_max(x) > 1.0:
            x = x / 2.0
        if tf.reduce_min(x) < 0.0:
            self.negative = True
        return x
