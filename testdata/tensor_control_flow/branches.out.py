import tensorflow as tf
from tensorflow import keras


class OneArm(keras.layers.Layer):
    def call(self, x):
        norm = tf.norm(x)

        # Long vectors are cut.
        def if_true(x=x):
            x = x / norm  # to length one
            return x

        x = tf.cond(norm > 1.0, if_true, lambda: x)
        return x


class TwoArms(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.small = keras.layers.Dense(2, kernel_initializer="ones")
        self.large = keras.layers.Dense(2, kernel_initializer="ones")

    def call(self, x):
        y = tf.cond(tf.reduce_mean(x) > 0.0, lambda: self.large(x), lambda: self.small(x))
        return y


class SeveralNames(keras.layers.Layer):
    def call(self, x):
        shift = tf.zeros_like(x)

        def if_true(shift=shift, x=x):
            top = tf.reduce_max(x)
            x = x - top
            shift = shift + top
            return x, shift

        def if_false(x=x):
            x = x * 2.0
            return x, shift

        x, shift = tf.cond(tf.reduce_max(x) > 0.5, if_true, if_false)
        return x, shift


class ThreeWays(keras.layers.Layer):
    def call(self, x):
        mean = tf.reduce_mean(x)
        y = tf.cond(mean > 0.5, lambda: x - 1.0, lambda: tf.cond(mean > 0.0, lambda: x + 1.0, lambda: -x))
        return y


class Nested(keras.layers.Layer):
    def call(self, x):
        mean = tf.reduce_mean(x)

        def if_true(x=x):
            x = x + 1.0
            x = tf.cond(tf.reduce_max(x) > 1.5, lambda: x / 2.0, lambda: x)
            x = x - 0.5
            return x

        x = tf.cond(mean > -10.0, if_true, lambda: x)
        return x


class BesidePython(keras.layers.Layer):
    def __init__(self, rounds=2):
        super().__init__()
        self.rounds = rounds

    def call(self, x, training=False):
        if training:
            x = tf.cond(tf.reduce_max(x) > 0.1, lambda: x * 0.5, lambda: x)
        for _ in range(self.rounds):
            x = tf.cond(tf.reduce_sum(x) > 1.0, lambda: x - 0.25, lambda: x)
        if not training:
            x = tf.cond(tf.reduce_any(x > 0.0), lambda: tf.nn.relu(x), lambda: x)
        return x


class InLoop(keras.layers.Layer):
    def call(self, x):
        total = tf.zeros_like(x)
        for scale in (1.0, 2.0, 4.0):
            scaled = x * scale

            def if_false(scaled=scaled, total=total):
                scaled = scaled + 1.0
                total = total + scaled
                return total

            total = tf.cond(tf.reduce_max(scaled) > 2.0, lambda: total, if_false)
        return total


class Numbers(keras.layers.Layer):
    def call(self, x):
        def if_true():
            low, scale = 0.0, 0.5
            return tf.cast(low, x.dtype), tf.cast(scale, x.dtype)

        def if_false():
            low, scale = -1.0, 2.0
            return tf.cast(low, x.dtype), tf.cast(scale, x.dtype)

        low, scale = tf.cond(tf.reduce_mean(x) > 0.0, if_true, if_false)
        return tf.maximum(x * scale, x + low)


class Truth(keras.layers.Layer):
    def call(self, x, mask=None):
        total = tf.reduce_sum(tf.cast(x > 0.0, tf.int32))
        x = tf.cond(tf.cast(total, tf.bool), lambda: x * 2.0, lambda: x)
        x = tf.cond(tf.logical_not(tf.reduce_all(x > 0.0)), lambda: x + 3.0, lambda: x)
        x = tf.cond(
            tf.logical_and(0.0 < tf.reduce_mean(x), tf.reduce_mean(x) < 100.0), lambda: x - 1.0, lambda: x
        )
        x = tf.cond(
            tf.cond(tf.size(x) > 0, lambda: x[0, 0] > 0.0, lambda: tf.constant(False)),
            lambda: x * 3.0,
            lambda: x,
        )
        return x


class Counted(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.seen = self.add_weight(name="seen", shape=(), initializer="zeros", trainable=False)

    def call(self, x):
        self.seen.assign_add(tf.cast(tf.reduce_max(x) > 0.0, self.seen.dtype))
        return x + self.seen
