# refused: dtype-unknown,function-stays-whole

import tensorflow as tf


class Decoder(tf.Module):
    def __init__(self, cell):
        super().__init__()
        self.cell = cell

    @tf.function
    def __call__(self, x: tf.Tensor):
        outputs, sums = [], []
        for t in tf.range(tf.shape(x)[1]):
            outputs.append(self.cell(x[:, t]))
            sums.append(tf.reduce_sum(x[:, t]))
        return tf.stack(outputs), tf.stack(sums)


@tf.function
def shares(counts: tf.Tensor, total: tf.Tensor):
    """Whole numbers give fractions of float64."""
    found = []
    for i in tf.range(tf.shape(counts)[0]):
        found.append(counts[i] / total)
    return tf.stack(found)
