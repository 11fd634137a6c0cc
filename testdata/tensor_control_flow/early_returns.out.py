import tensorflow as tf
from tensorflow import keras


class Early(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(3, kernel_initializer="ones")

    def call(self, x):
        def if_false():
            # What is long enough goes through the layer.
            y = self.dense(x)
            return x + y

        return tf.cond(tf.norm(x) < 0.5, lambda: x, if_false)


class Chain(keras.layers.Layer):
    def call(self, x):
        mean = tf.reduce_mean(x)
        return tf.cond(
            mean > 1.0,
            lambda: x - mean,
            lambda: tf.cond(mean > 0.0, lambda: x * 2.0, lambda: tf.zeros_like(x)),
        )


class Otherwise(keras.Model):
    def call(self, x, training=False):
        if training:
            return x * 2.0
        else:
            return tf.cond(tf.reduce_max(x) > 1.0, lambda: x / tf.reduce_max(x), lambda: x)


class Pair(keras.layers.Layer):
    def call(self, x):
        def if_false(x=x):
            x = tf.abs(x)
            return x, tf.reduce_max(x)

        return tf.cond(tf.reduce_sum(x) > 0.0, lambda: (x, tf.reduce_sum(x)), if_false)
