import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Recurrent(layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units
        self.wx = layers.Dense(units)

    def call(self, inputs):
        state = tf.zeros((tf.shape(inputs)[0], self.units))
        outputs = tf.TensorArray(tf.float32, size=tf.shape(inputs)[1])
        steps = tf.shape(inputs)[1]

        def step(t, state, outputs):
            state = tf.tanh(self.wx(inputs[:, t]) + state)
            outputs = outputs.write(t, state)
            return t + 1, state, outputs

        _, _, outputs = tf.while_loop(
            lambda t, *_: t < steps, step, (0, state, outputs), maximum_iterations=steps
        )
        return tf.transpose(outputs.stack(), [1, 0, 2])


class Positions(layers.Layer):
    def call(self, x):
        steps = tf.shape(x)[1]
        ramp = tf.cast(tf.range(steps), tf.float32)
        return x + tf.reshape(ramp, [1, steps, 1]) / 100.0


def make_model(features, units, time=None):
    inputs = keras.Input(shape=(time, features))
    return keras.Model(inputs, layers.Dense(1)(Recurrent(units)(inputs)))


def other_model():
    positions = Positions()
    x = layers.Input((None, 4), name="x")
    return keras.Model(x, positions(x))


@tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32), tf.TensorSpec([3])])
def padded(x, row):
    rows = tf.ones((tf.shape(x)[0], 1))
    return tf.concat([x, rows], axis=1) + tf.zeros([row.shape[0] + 1])
