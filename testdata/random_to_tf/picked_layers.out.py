import tensorflow as tf


class Paths(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.left = tf.keras.layers.Dense(4, activation="relu")
        self.right = tf.keras.layers.Dense(4)
        self.ops = [tf.keras.layers.Dense(4) for _ in range(3)]
        self.twists = [
            tf.keras.layers.Activation("tanh"),
            tf.keras.layers.ReLU(),
            tf.keras.layers.LayerNormalization(),
        ]
        self.pair = [tf.keras.layers.BatchNormalization(), tf.keras.layers.Activation("tanh")]

    def call(self, x, training=None):
        x = tf.cond(
            tf.random.uniform([], 0, 2, dtype=tf.int32) == 0, lambda: self.left(x), lambda: self.right(x)
        )
        picked_index = tf.random.uniform([], 0, len(self.ops), dtype=tf.int32)
        x = tf.case(
            [
                (picked_index == number, lambda branch=branch: branch(x))
                for number, branch in enumerate(self.ops)
            ]
        )
        twist = tf.random.uniform([], 0, 3, dtype=tf.int32)
        x = tf.case(
            [(twist == number, lambda branch=branch: branch(x)) for number, branch in enumerate(self.twists)]
        )
        op_index = tf.random.uniform([], 0, 2, dtype=tf.int32)
        return tf.cond(
            op_index == 0,
            lambda: self.pair[0](x, training=training),
            lambda: self.pair[1](x, training=training),
        )
