import tensorflow as tf
from tensorflow import keras


@tf.function
def step(x):
    if tf.reduce_max(x) > 1.0:
        x = x / 2.0
    while tf.reduce_sum(x) > 1.0 and tf.reduce_max(x) > 0.1:
        x = x * 0.5
    for i in tf.range(tf.shape(x)[0]):
        x = x + tf.cast(i, x.dtype)
    return x if tf.reduce_min(x) > 0.0 else -x


class Helped(keras.layers.Layer):
    def build(self, input_shape):
        super().build(input_shape)

    @tf.function
    def halved(self, x):
        while tf.reduce_max(x) > 1.0:
            x = x / 2.0
        return x

    def call(self, x):
        return self.halved(x)


def untraced(x):
    if tf.reduce_max(x) > 1.0:
        x = x / 2.0
    assert tf.reduce_min(x) > 0.0
    return x
