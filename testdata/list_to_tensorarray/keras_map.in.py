import tensorflow as tf
from tensorflow import keras


class Outer(keras.layers.Layer):
    """Keras 3 runs ``call`` without AutoGraph."""

    def call(self, x):
        products = []
        for b in tf.range(tf.shape(x)[0]):
            # all pairs of this row
            row = x[b][:, tf.newaxis] * x[b, tf.newaxis, :]
            products.append(tf.reshape(row, [-1]))
        return tf.stack(products)


class Largest(keras.layers.Layer):
    def call(self, x):
        found = []
        for b in tf.range(tf.shape(x)[0]):
            found.append(tf.argmax(x[b]))
        places = tf.stack(found)
        return tf.cast(places, x.dtype)[:, tf.newaxis], tf.reduce_max(found)
