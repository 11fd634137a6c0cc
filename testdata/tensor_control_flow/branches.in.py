import tensorflow as tf
from tensorflow import keras


class OneArm(keras.layers.Layer):
    def call(self, x):
        norm = tf.norm(x)
        # Long vectors are cut.
        if norm > 1.0:
            x = x / norm  # to length one
        return x


class TwoArms(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.small = keras.layers.Dense(2, kernel_initializer="ones")
        self.large = keras.layers.Dense(2, kernel_initializer="ones")

    def call(self, x):
        if tf.reduce_mean(x) > 0.0:
            y = self.large(x)
        else:
            y = self.small(x)
        return y


class SeveralNames(keras.layers.Layer):
    def call(self, x):
        shift = tf.zeros_like(x)
        if tf.reduce_max(x) > 0.5:
            top = tf.reduce_max(x)
            x = x - top
            shift = shift + top
        else:
            x = x * 2.0
        return x, shift


class ThreeWays(keras.layers.Layer):
    def call(self, x):
        mean = tf.reduce_mean(x)
        if mean > 0.5:
            y = x - 1.0
        elif mean > 0.0:
            y = x + 1.0
        else:
            y = -x
        return y


class Nested(keras.layers.Layer):
    def call(self, x):
        mean = tf.reduce_mean(x)
        if mean > -10.0:
            x = x + 1.0
            if tf.reduce_max(x) > 1.5:
                x = x / 2.0
            x = x - 0.5
        return x


class BesidePython(keras.layers.Layer):
    def __init__(self, rounds=2):
        super().__init__()
        self.rounds = rounds

    def call(self, x, training=False):
        if training and tf.reduce_max(x) > 0.1:
            x = x * 0.5
        for _ in range(self.rounds):
            if tf.reduce_sum(x) > 1.0:
                x = x - 0.25
        if not training:
            if tf.reduce_any(x > 0.0):
                x = tf.nn.relu(x)
        return x


class InLoop(keras.layers.Layer):
    def call(self, x):
        total = tf.zeros_like(x)
        for scale in (1.0, 2.0, 4.0):
            scaled = x * scale
            if tf.reduce_max(scaled) > 2.0:
                continue
            scaled = scaled + 1.0
            total = total + scaled
        return total


class Numbers(keras.layers.Layer):
    def call(self, x):
        if tf.reduce_mean(x) > 0.0:
            low, scale = 0.0, 0.5
        else:
            low, scale = -1.0, 2.0
        return tf.maximum(x * scale, x + low)


class Truth(keras.layers.Layer):
    def call(self, x, mask=None):
        total = tf.reduce_sum(tf.cast(x > 0.0, tf.int32))
        if total:
            x = x * 2.0
        if not tf.reduce_all(x > 0.0):
            x = x + 3.0
        if 0.0 < tf.reduce_mean(x) < 100.0:
            x = x - 1.0
        if tf.size(x) > 0 and x[0, 0] > 0.0:
            x = x * 3.0
        return x


class Counted(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.seen = self.add_weight(name="seen", shape=(), initializer="zeros", trainable=False)

    def call(self, x):
        if tf.reduce_max(x) > 0.0:
            self.seen.assign_add(1.0)
        return x + self.seen
