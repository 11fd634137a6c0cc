# refused: leaves-python-loop
import tensorflow as tf
from tensorflow import keras


class Net(keras.layers.Layer):
    def call(self, x):
        for scale in (1.0, 2.0, 3.0):
            x = x * scale
            if tf.reduce_max(x) > 1.0:
                break
        return x
