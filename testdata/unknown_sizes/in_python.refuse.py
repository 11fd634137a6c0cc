# refused: size-in-python
import tensorflow as tf
from tensorflow import keras


class Named(keras.layers.Layer):
    def call(self, x):
        return {f"steps_{x.shape[1]}": x}


def make_model():
    inputs = keras.Input((None, 3))
    return keras.Model(inputs, Named()(inputs))


@tf.function(input_signature=[tf.TensorSpec([None, 3])])
def counted(x):
    total = 0
    for step in range(2 * x.shape[0]):
        total = total + step
    return x * tf.cast(total, tf.float32)
