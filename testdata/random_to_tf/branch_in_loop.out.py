import tensorflow as tf
from tensorflow import keras


class Walk(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(4)

    def step(self, x):
        return x + self.dense(x)

    def call(self, x, training=None):
        for _ in range(3):
            def if_drawn():
                return self.step(x)

            def otherwise(x=x):
                half = x * 0.5
                x = half
                return x

            x = tf.cond(tf.random.uniform([]) < 0.5, if_drawn, otherwise)

        def if_drawn_2():
            return -x

        def otherwise_2():
            return x

        x = tf.cond(
            tf.gather([True, False], tf.random.uniform([], 0, 2, dtype=tf.int32)), if_drawn_2, otherwise_2
        )

        def if_drawn_3():
            return x + 1.0

        def otherwise_3():
            return x

        x = (
            if_drawn_3()
            if not training
            else tf.cond(tf.random.uniform([], 0, 2, dtype=tf.int32) != 0, if_drawn_3, otherwise_3)
        )
        return x
