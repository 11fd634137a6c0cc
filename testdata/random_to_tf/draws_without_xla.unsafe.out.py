import tensorflow as tf


class Mixup(tf.keras.Model):
    def __init__(self, alpha=0.2):
        super().__init__()
        self.alpha = alpha
        self.dense = tf.keras.layers.Dense(4)

    def call(self, x, training=None):
        if training:
            weight = tf.sigmoid(
                tf.math.log(
                    tf.random.gamma([], self.alpha + 1, dtype=x.dtype)
                    / tf.random.gamma([], self.alpha + 1, dtype=x.dtype)
                )
                + tf.math.log1p(-tf.random.uniform([], dtype=x.dtype)) / self.alpha
                - tf.math.log1p(-tf.random.uniform([], dtype=x.dtype)) / self.alpha
            )
            x = weight * x + (1.0 - weight) * tf.reverse(x, [0])
            x = x + tf.cast(tf.random.poisson([], 3.0, dtype=tf.float32), x.dtype)
        return self.dense(x)
