# refused: raises-with-effects
import tensorflow as tf
from tensorflow import keras


class Net(keras.layers.Layer):
    def call(self, x):
        if tf.reduce_min(x) < 0.0:
            raise ValueError(f"negative: {x}")
        return tf.sqrt(x)


class Some(keras.layers.Layer):
    def call(self, x):
        if tf.reduce_min(x) < 0.0:
            raise ValueError("negative")
        else:
            x = x + 1.0
        return tf.sqrt(x)
