# refused: types-differ
import tensorflow as tf
from tensorflow import keras


class Net(keras.layers.Layer):
    def call(self, x):
        if tf.reduce_max(x) > 1.0:
            code = tf.argmax(x, axis=-1)
        else:
            code = tf.zeros([tf.shape(x)[0]], tf.int32)
        return code


class Growing(keras.layers.Layer):
    def call(self, x):
        state = (x, x)
        while tf.reduce_max(state[0]) < 10.0:
            state = [state[0] * 2.0, state[1]]
        return state[0]
