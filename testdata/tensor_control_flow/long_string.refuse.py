# refused: long-string
import tensorflow as tf
from tensorflow import keras


class Net(keras.layers.Layer):
    def call(self, x):
        if tf.reduce_max(x) > 1.0:
            tf.print("""the input
is large""")
            x = x / 2.0
        return x
