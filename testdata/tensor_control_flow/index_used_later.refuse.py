# refused: index-used-later
import tensorflow as tf
from tensorflow import keras


class Net(keras.layers.Layer):
    def call(self, x):
        total = tf.zeros_like(x[0])
        for i in tf.range(tf.shape(x)[0]):
            total = total + x[i]
        return total / tf.cast(i + 1, x.dtype)
