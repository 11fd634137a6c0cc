# refused: list-grows
import tensorflow as tf
from tensorflow import keras


class Net(keras.layers.Layer):
    def call(self, x):
        kept = [x]
        if tf.reduce_max(x) > 1.0:
            kept.append(x / 2.0)
        return tf.concat(kept, axis=-1)
