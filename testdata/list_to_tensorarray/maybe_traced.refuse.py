# refused: maybe-traced

import tensorflow as tf

from somewhere import BaseLayer


class Sums(BaseLayer):
    def call(self, x):
        found = []
        for i in tf.range(tf.shape(x)[0]):
            found.append(tf.reduce_sum(x[i]))
        return tf.stack(found)
