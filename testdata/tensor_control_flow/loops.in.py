import tensorflow as tf
from tensorflow import keras


class Halved(keras.layers.Layer):
    def call(self, x):
        turns = 0
        while tf.reduce_max(tf.abs(x)) > 0.25:
            x = x / 2.0
            turns += 1
        return x * tf.cast(turns, x.dtype)


class Left(keras.layers.Layer):
    def __init__(self, limit=5):
        super().__init__()
        self.limit = limit

    def call(self, x):
        for step in tf.range(self.limit):
            x = x + 1.0
            if tf.reduce_mean(x) > 3.0:
                break
            x = x + 0.5
        return x


class Skipped(keras.layers.Layer):
    def call(self, x):
        total = tf.zeros_like(x[0])
        for row in x:
            if tf.reduce_sum(row) < 0.0:
                continue
            total = total + row
        return total + tf.reduce_mean(x, axis=0)


class Recurrent(keras.layers.Layer):
    def __init__(self, units=3):
        super().__init__()
        self.units = units
        self.inner = keras.layers.Dense(units, kernel_initializer="ones")
        self.outer = keras.layers.Dense(units, kernel_initializer="ones")

    def call(self, inputs):
        h = tf.zeros([tf.shape(inputs)[0], self.units])
        for t in tf.range(tf.shape(inputs)[1]):
            # One step of time.
            h = tf.tanh(self.inner(inputs[:, t]) + self.outer(h))
        return h


class Backwards(keras.layers.Layer):
    def call(self, x):
        n = tf.shape(x)[0]
        running = tf.zeros_like(x[0])
        for i in tf.range(n - 1, -1, -1):
            running = 0.5 * running + x[i]
        for j in tf.range(1, n, 2):
            running = running + x[j]
        return running


class Counting(keras.layers.Layer):
    def call(self, x):
        total = 0.0
        for i, row in enumerate(x):
            total += tf.cast(i, x.dtype) * tf.reduce_sum(row)
        for one, other in zip(x, tf.reverse(x, [0])):
            total = total + tf.reduce_sum(one * other)
        return x + total


class Grid(keras.layers.Layer):
    def call(self, x):
        total = tf.constant(0.0)
        for i in tf.range(tf.shape(x)[0]):
            for j in tf.range(tf.shape(x)[1]):
                if x[i, j] > 0.0:
                    total = total + x[i, j]
        return x * total


class PythonRange(keras.layers.Layer):
    def call(self, x):
        best = x[0]
        for i in range(tf.shape(x)[0]):
            best = tf.maximum(best, x[i])
        return best
