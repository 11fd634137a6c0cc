import tensorflow as tf

N = 10


class Bounds(tf.keras.layers.Layer):
    def __init__(self, n):
        super().__init__()
        self.n = n

    def call(self, x):
        rows = tf.gather(x, tf.random.uniform([], 0, self.n, dtype=tf.int32)) + tf.gather(
            x, tf.random.uniform([], 0, N, dtype=tf.int32)
        )
        rows += tf.gather(x, tf.random.uniform([], 0, tf.shape(x)[0] - 1, dtype=tf.int32)) + tf.gather(
            x, tf.random.uniform([], 0, tf.shape(x)[0], dtype=tf.int32)
        )
        rows += (
            tf.gather(x, tf.random.uniform([], 1, self.n, dtype=tf.int32))
            + x[tf.random.uniform([], -3, 0, dtype=tf.int32)]
        )
        flipped = tf.image.stateless_random_hue(
            x, 0.1, seed=(tf.random.uniform([], 0, 2**31, dtype=tf.int64), 0)
        )
        return (
            rows
            + flipped
            + tf.cast(tf.random.uniform([], 0, 2, dtype=tf.int32), x.dtype) * 2
            - tf.cast(tf.random.uniform([], 1, 3, dtype=tf.int32), x.dtype) / 2
        )
