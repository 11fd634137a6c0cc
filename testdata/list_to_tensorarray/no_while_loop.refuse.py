# refused: no-while-loop

import tensorflow as tf
from tensorflow import keras


class Counting(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.turns = 0

    def call(self, x):
        sums = []
        for i in tf.range(tf.shape(x)[0]):
            self.turns += 1
            sums.append(tf.reduce_sum(x[i]))
        return tf.stack(sums)
