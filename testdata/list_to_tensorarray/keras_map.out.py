import tensorflow as tf
from tensorflow import keras


class Outer(keras.layers.Layer):
    """Keras 3 runs ``call`` without AutoGraph."""

    def call(self, x):
        def one(item):
            # all pairs of this row
            row = item[:, tf.newaxis] * item[tf.newaxis, :]
            return tf.reshape(row, [-1])

        return tf.map_fn(one, x)


class Largest(keras.layers.Layer):
    def call(self, x):
        def one(row):
            return tf.argmax(row)

        found = tf.map_fn(one, x, fn_output_signature=tf.int64)
        places = found
        return tf.cast(places, x.dtype)[:, tf.newaxis], tf.reduce_max(found)
