import tensorflow as tf
from tensorflow import keras

LOW, HIGH = 0.5, 1.5


class Mask(keras.layers.Layer):
    def call(self, x, training=None):
        b, t, c = x.shape
        keep = tf.random.uniform([tf.shape(x)[0], tf.shape(x)[1], 1]) > 0.5
        drop = tf.random.uniform(tf.shape(x)[:-1]) < 0.1
        x = tf.where(keep, x, 0.0) * tf.cast(drop, x.dtype)[..., tf.newaxis]
        flip = tf.random.uniform([]) < 0.5
        stay = tf.logical_not(flip)

        def if_drawn():
            return -x

        def otherwise():
            return x

        x = if_drawn() if training else tf.cond(stay, if_drawn, otherwise)
        return (
            x
            * tf.random.uniform([], 0.5, 1.5, dtype=x.dtype)
            * tf.random.uniform([], 0.5, 1.5, dtype=x.dtype)
        )


class Features(keras.layers.Layer):
    def call(self, inputs):
        a, b = inputs["a"], inputs["b"]
        weight = tf.random.uniform([], 0.0, 1.0)
        return (
            tf.cast(weight, a.dtype) * a
            + tf.cast(1 - weight, b.dtype) * b
            + tf.cast(weight, inputs["c"].dtype) * inputs["c"]
        )
