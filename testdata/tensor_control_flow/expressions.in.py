import tensorflow as tf
from tensorflow import keras


class Choice(keras.layers.Layer):
    def __init__(self, bounded=True):
        super().__init__()
        self.bounded = bounded

    def call(self, x):
        mean = tf.reduce_mean(x)
        scale = 0.5 if mean > 0.0 else 2.0
        y = x * scale + (1.0 if tf.reduce_max(x) > 1.0 else 0.0)
        z = tf.reduce_max(x, axis=0) if mean < 0.0 else tf.reduce_min(x, axis=0)
        return y + z + (mean if self.bounded and mean > 0.0 else x[0, 0])


class Logic(keras.layers.Layer):
    def call(self, x):
        some = tf.reduce_any(x > 0.0)
        most = tf.reduce_mean(x) > 0.0
        both = some and most
        none = not some
        one = some or most
        flags = [tf.cast(flag, x.dtype) for flag in (both, none, one)]
        return x + tf.add_n(flags)


class Extremes(keras.layers.Layer):
    def call(self, x):
        top = max(tf.reduce_max(x), 1.0)
        low = min(0.0, tf.reduce_min(x))
        return (x - low) / (top - low)


class Ranks(keras.layers.Layer):
    def call(self, x):
        x = tf.abs(x)
        if tf.rank(x) == 1:
            x = tf.expand_dims(x, axis=-1)
        size = x.shape[0] or tf.shape(x)[0]
        return x * tf.cast(size, x.dtype) + (1.0 if tf.rank(x) > 2 and tf.reduce_max(x) > 0.0 else 2.0)


class KeptCondition(keras.layers.Layer):
    def call(self, x):
        flat = tf.rank(x) == 2 and tf.reduce_max(x) > 1.0
        x = tf.abs(x)
        if flat:
            x = x / 2.0
        return x
