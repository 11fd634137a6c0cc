import tensorflow as tf
from tensorflow import keras


class Choice(keras.layers.Layer):
    def __init__(self, bounded=True):
        super().__init__()
        self.bounded = bounded

    def call(self, x):
        mean = tf.reduce_mean(x)
        scale = tf.cast(tf.where(mean > 0.0, 0.5, 2.0), x.dtype)
        y = x * scale + tf.cast(tf.where(tf.reduce_max(x) > 1.0, 1.0, 0.0), x.dtype)
        z = tf.cond(mean < 0.0, lambda: tf.reduce_max(x, axis=0), lambda: tf.reduce_min(x, axis=0))
        return y + z + (tf.cond(mean > 0.0, lambda: mean, lambda: x[0, 0]) if self.bounded else x[0, 0])


class Logic(keras.layers.Layer):
    def call(self, x):
        some = tf.reduce_any(x > 0.0)
        most = tf.reduce_mean(x) > 0.0
        both = tf.logical_and(some, most)
        none = tf.logical_not(some)
        one = tf.logical_or(some, most)
        flags = [tf.cast(flag, x.dtype) for flag in (both, none, one)]
        return x + tf.add_n(flags)


class Extremes(keras.layers.Layer):
    def call(self, x):
        top = tf.maximum(tf.reduce_max(x), 1.0)
        low = tf.minimum(tf.reduce_min(x), 0.0)
        return (x - low) / (top - low)


class Ranks(keras.layers.Layer):
    def call(self, x):
        x = tf.abs(x)
        if len(x.shape) == 1:
            x = tf.expand_dims(x, axis=-1)
        size = x.shape[0] or tf.shape(x)[0]
        return x * tf.cast(size, x.dtype) + (
            tf.cast(tf.where(tf.reduce_max(x) > 0.0, 1.0, 2.0), x.dtype)
            if len(x.shape) > 2
            else tf.cast(2.0, x.dtype)
        )


class KeptCondition(keras.layers.Layer):
    def call(self, x):
        flat = tf.logical_and(tf.rank(x) == 2, tf.reduce_max(x) > 1.0)
        x = tf.abs(x)
        x = tf.cond(flat, lambda: x / 2.0, lambda: x)
        return x
