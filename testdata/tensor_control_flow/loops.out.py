import tensorflow as tf
from tensorflow import keras


class Halved(keras.layers.Layer):
    def call(self, x):
        turns = 0

        def step(x, turns):
            x = x / 2.0
            turns += 1
            return x, turns

        x, turns = tf.while_loop(lambda x, turns: tf.reduce_max(tf.abs(x)) > 0.25, step, (x, turns))
        return x * tf.cast(turns, x.dtype)


class Left(keras.layers.Layer):
    def __init__(self, limit=5):
        super().__init__()
        self.limit = limit

    def call(self, x):
        def step_2(step, x, done):
            x = x + 1.0

            def if_true(done=done):
                done = True
                return x, done

            def if_false(x=x):
                x = x + 0.5
                return x, done

            x, done = tf.cond(tf.reduce_mean(x) > 3.0, if_true, if_false)
            return step + 1, x, done

        _, x, _ = tf.while_loop(
            lambda step, x, done: tf.logical_and(tf.logical_not(done), step < self.limit),
            step_2,
            (0, x, False),
            maximum_iterations=self.limit,
        )
        return x


class Skipped(keras.layers.Layer):
    def call(self, x):
        total = tf.zeros_like(x[0])
        steps = tf.shape(x)[0]

        def step(i, total):
            row = x[i]
            total = tf.cond(tf.reduce_sum(row) < 0.0, lambda: total, lambda: total + row)
            return i + 1, total

        _, total = tf.while_loop(lambda i, *_: i < steps, step, (0, total), maximum_iterations=steps)
        return total + tf.reduce_mean(x, axis=0)


class Recurrent(keras.layers.Layer):
    def __init__(self, units=3):
        super().__init__()
        self.units = units
        self.inner = keras.layers.Dense(units, kernel_initializer="ones")
        self.outer = keras.layers.Dense(units, kernel_initializer="ones")

    def call(self, inputs):
        h = tf.zeros([tf.shape(inputs)[0], self.units])
        steps = tf.shape(inputs)[1]

        def step(t, h):
            # One step of time.
            h = tf.tanh(self.inner(inputs[:, t]) + self.outer(h))
            return t + 1, h

        _, h = tf.while_loop(lambda t, *_: t < steps, step, (0, h), maximum_iterations=steps)
        return h


class Backwards(keras.layers.Layer):
    def call(self, x):
        n = tf.shape(x)[0]
        running = tf.zeros_like(x[0])
        start = n - 1

        def step(i, running):
            running = 0.5 * running + x[i]
            return i - 1, running

        _, running = tf.while_loop(lambda i, *_: i > -1, step, (start, running), maximum_iterations=start + 1)

        def step_2(j, running):
            running = running + x[j]
            return j + 2, running

        _, running = tf.while_loop(
            lambda j, *_: j < n, step_2, (1, running), maximum_iterations=(n - 1 + 1) // 2
        )
        return running


class Counting(keras.layers.Layer):
    def call(self, x):
        total = 0.0
        steps = tf.shape(x)[0]

        def step(i, total):
            row = x[i]
            total += tf.cast(i, x.dtype) * tf.reduce_sum(row)
            return i + 1, total

        _, total = tf.while_loop(
            lambda i, *_: i < steps, step, (0, tf.cast(total, x.dtype)), maximum_iterations=steps
        )
        other_rows = tf.reverse(x, [0])
        steps_2 = tf.reduce_min([tf.shape(x)[0], tf.shape(other_rows)[0]])

        def step_2(i_2, total):
            one = x[i_2]
            other = other_rows[i_2]
            total = total + tf.reduce_sum(one * other)
            return i_2 + 1, total

        _, total = tf.while_loop(
            lambda i_2, *_: i_2 < steps_2, step_2, (0, total), maximum_iterations=steps_2
        )
        return x + total


class Grid(keras.layers.Layer):
    def call(self, x):
        total = tf.constant(0.0)
        steps = tf.shape(x)[0]

        def step(i, total):
            steps_2 = tf.shape(x)[1]

            def step_2(j, total):
                total = tf.cond(x[i, j] > 0.0, lambda: total + x[i, j], lambda: total)
                return j + 1, total

            _, total = tf.while_loop(
                lambda j, *_: j < steps_2, step_2, (0, total), maximum_iterations=steps_2
            )
            return i + 1, total

        _, total = tf.while_loop(lambda i, *_: i < steps, step, (0, total), maximum_iterations=steps)
        return x * total


class PythonRange(keras.layers.Layer):
    def call(self, x):
        best = x[0]
        steps = tf.shape(x)[0]

        def step(i, best):
            best = tf.maximum(best, x[i])
            return i + 1, best

        _, best = tf.while_loop(lambda i, *_: i < steps, step, (0, best), maximum_iterations=steps)
        return best
