import tensorflow as tf
from tensorflow.keras.layers import Layer


class Read(Layer):
    def __init__(self, start):
        super().__init__()
        self.start = start

    def call(self, x):
        total = tf.constant(0.0)
        total = tf.convert_to_tensor(self.start, dtype=total.dtype)
        total = total * 2 + tf.reduce_sum(x); total = total + total
        return total


class Parts(Layer):
    def call(self, x):
        out = tf.zeros((2, 3))
        for i in range(3):
            out_pieces = tf.unstack(out, axis=1)
            out_pieces[i] = out[:, i] + x[:, i]
            out = tf.stack(out_pieces, axis=1)  # one column
        return out
