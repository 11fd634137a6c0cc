import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Static(layers.Layer):
    def call(self, x):
        outputs = []
        for t in range(x.shape[1]):
            outputs.append(x[:, t] * 2.0)
        return tf.stack(outputs, axis=1)


class Careful(layers.Layer):
    def call(self, x):
        steps = tf.shape(x)[1] if x.shape[1] is None else x.shape[1]
        return x + tf.zeros([steps, x.shape[-1]])


class Features(layers.Layer):
    def call(self, x):
        return x + tf.zeros([x.shape[-1]])


class Unseen(layers.Layer):
    def call(self, x):
        return x + tf.zeros((x.shape[1], 3))


def make_model():
    inputs = keras.Input((5, 4))
    sequences = keras.Input((None, 4))
    outputs = Careful()(sequences), Features()(sequences)
    return keras.Model([inputs, sequences], [Static()(inputs), *outputs])


def applied(x):
    return Unseen()(x)
