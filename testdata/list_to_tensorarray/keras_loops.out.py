import tensorflow as tf
from tensorflow import keras


class Rnn(keras.layers.Layer):
    def call(self, x):
        """A state is carried, so this is no tf.map_fn."""
        h = tf.zeros_like(x[:, 0])
        outputs = tf.TensorArray(x.dtype, size=tf.shape(x)[1])
        steps = tf.shape(x)[1]

        def step(t, h, outputs):
            h = tf.tanh(x[:, t] + h)
            outputs = outputs.write(t, h)
            return t + 1, h, outputs

        _, _, outputs = tf.while_loop(
            lambda t, *_: t < steps, step, (0, h, outputs), maximum_iterations=steps
        )
        outputs = outputs.stack()
        return tf.transpose(outputs, tf.concat([[1, 0], tf.range(2, tf.rank(outputs))], axis=0))


class Layers(keras.layers.Layer):
    """A layer could be built inside of the map."""

    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(2, kernel_initializer="ones")

    def call(self, x):
        outputs = tf.TensorArray(self.dense.compute_dtype, size=tf.shape(x)[0])
        steps = tf.shape(x)[0]

        def step(b, outputs):
            outputs = outputs.write(b, self.dense(x[b]))
            return b + 1, outputs

        _, outputs = tf.while_loop(lambda b, *_: b < steps, step, (0, outputs), maximum_iterations=steps)
        return outputs.stack()


class Branch(keras.layers.Layer):
    def call(self, x):
        outputs = tf.TensorArray(x.dtype, size=tf.shape(x)[0])
        steps = tf.shape(x)[0]

        def step(b, outputs):
            row = x[b]
            row = tf.cond(tf.reduce_sum(row) > 0.0, lambda: -row, lambda: row)
            outputs = outputs.write(b, row)
            return b + 1, outputs

        _, outputs = tf.while_loop(lambda b, *_: b < steps, step, (0, outputs), maximum_iterations=steps)
        return outputs.stack()


class Recurrent(keras.layers.Layer):
    def __init__(self, units=3):
        super().__init__()
        self.units = units
        self.inner = keras.layers.Dense(units, kernel_initializer="ones")
        self.outer = keras.layers.Dense(units, kernel_initializer="ones")

    def call(self, inputs):
        h = tf.zeros([tf.shape(inputs)[0], self.units])
        outputs = tf.TensorArray(self.inner.compute_dtype, size=tf.shape(inputs)[1])
        steps = tf.shape(inputs)[1]

        def step(t, h, outputs):
            # One step of time.
            h = tf.tanh(self.inner(inputs[:, t]) + self.outer(h))
            outputs = outputs.write(t, h)  # kept
            return t + 1, h, outputs

        _, _, outputs = tf.while_loop(
            lambda t, *_: t < steps, step, (0, h, outputs), maximum_iterations=steps
        )
        return tf.transpose(outputs.stack(), [1, 0, 2])


class Rows(keras.layers.Layer):
    def call(self, x):
        y = tf.abs(x)
        state = tf.zeros_like(x[0])
        tops = tf.TensorArray(state.dtype, size=tf.shape(y)[0] + 1, element_shape=[])
        tops = tops.write(0, tf.reduce_max(state))
        sums = tf.TensorArray(state.dtype, size=tf.shape(y)[0], element_shape=[])
        steps = tf.shape(y)[0]

        def step(i, state, sums, tops):
            row = y[i]
            state = 0.5 * state + row
            state = tf.cond(tf.reduce_max(state) > 1.0, lambda: state - 1.0, lambda: state)
            sums = sums.write(i, tf.reduce_sum(state))
            tops = tops.write(i + 1, tf.reduce_max(row))
            return i + 1, state, sums, tops

        _, state, sums, tops = tf.while_loop(
            lambda i, *_: i < steps, step, (0, state, sums, tops), maximum_iterations=steps
        )
        return sums.stack(), tops.stack(), state
