import tensorflow as tf
from tensorflow import keras


class Rnn(keras.layers.Layer):
    def call(self, x):
        """A state is carried, so this is no tf.map_fn."""
        h = tf.zeros_like(x[:, 0])
        outputs = []
        for t in tf.range(tf.shape(x)[1]):
            h = tf.tanh(x[:, t] + h)
            outputs.append(h)
        return tf.stack(outputs, axis=1)


class Layers(keras.layers.Layer):
    """A layer could be built inside of the map."""

    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(2, kernel_initializer="ones")

    def call(self, x):
        outputs = []
        for b in tf.range(tf.shape(x)[0]):
            outputs.append(self.dense(x[b]))
        return tf.stack(outputs)


class Branch(keras.layers.Layer):
    def call(self, x):
        outputs = []
        for b in tf.range(tf.shape(x)[0]):
            row = x[b]
            if tf.reduce_sum(row) > 0.0:
                row = -row
            outputs.append(row)
        return tf.stack(outputs)


class Recurrent(keras.layers.Layer):
    def __init__(self, units=3):
        super().__init__()
        self.units = units
        self.inner = keras.layers.Dense(units, kernel_initializer="ones")
        self.outer = keras.layers.Dense(units, kernel_initializer="ones")

    def call(self, inputs):
        h = tf.zeros([tf.shape(inputs)[0], self.units])
        outputs = []
        for t in tf.range(tf.shape(inputs)[1]):
            # One step of time.
            h = tf.tanh(self.inner(inputs[:, t]) + self.outer(h))
            outputs.append(h)  # kept
        return tf.stack(outputs, axis=1)


class Rows(keras.layers.Layer):
    def call(self, x):
        y = tf.abs(x)
        sums, state = [], tf.zeros_like(x[0])
        tops = [tf.reduce_max(state)]
        for row in y:
            state = 0.5 * state + row
            if tf.reduce_max(state) > 1.0:
                state = state - 1.0
            sums.append(tf.reduce_sum(state))
            tops += [tf.reduce_max(row)]
        return tf.stack(sums), tf.stack(tops), state
