import tensorflow as tf
from tensorflow.keras.layers import Layer


class Read(Layer):
    def __init__(self, start):
        super().__init__()
        self.start = start

    def call(self, x):
        total = tf.Variable(0.0)
        total.assign(self.start)
        total.assign(total.read_value() * 2 + tf.reduce_sum(x)); total.assign_add(total.value())
        return total.read_value()


class Parts(Layer):
    def call(self, x):
        out = tf.Variable(tf.zeros((2, 3)))
        for i in range(3):
            out[:, i].assign(out[:, i] + x[:, i])  # one column
        return out
