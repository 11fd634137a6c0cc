import numpy as np
import tensorflow as tf

IMAGES = tf.TensorSpec([None, 8, 8, 3], tf.float32)
kernel = tf.Variable(tf.ones([6, 2]))


@tf.function(input_signature=[IMAGES, tf.TensorSpec([], tf.float32)])
def _flat(images, scale):
    return tf.reshape(images, [-1, 192]) * scale


@tf.function(
    input_signature=[tf.TensorSpec([None, 6], tf.float32), tf.TensorSpec([None, 2], tf.float32)],
    jit_compile=True,
)
def _dense(x, y):
    width = x.shape[1]
    return tf.matmul(x, kernel) / width + y


# Nested structure, and defaults that nobody overrides.
@tf.function(
    autograph=False,
    input_signature=[
        (tf.TensorSpec([None, 2], tf.float32), tf.TensorSpec([None, 3], tf.float32)),
        {"shift": tf.TensorSpec([], tf.float32)},
    ],
)
def _both(pair, options, axis=1):
    return tf.concat([pair[0], pair[1]], axis=axis) + options["shift"]


def several():
    for n in [1, 2, 4, 8]:
        _flat(tf.zeros([n, 8, 8, 3]), tf.constant(2.0))
    _dense(tf.ones([1, 6]), np.zeros([1, 2]).astype(np.float32))
    _dense(tf.ones([2, 6]), tf.zeros([1, 2]))
    _dense(tf.ones([3, 6]), tf.cast([[1, 2]], tf.float32))
    results = [_both((tf.ones([n, 2]), tf.ones([n, 3])), {"shift": tf.constant(1.0)}) for n in range(5)]
    return results


class Scorer:
    def __init__(self):
        self.weights = tf.Variable(tf.ones([3]))

    @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)], autograph=True)
    def score(self, rows):
        return tf.linalg.matvec(rows, self.weights)


if __name__ == "__main__":
    several()
    scorer = Scorer()
    for length in range(2, 9):
        scorer.score(tf.ones((length, 3)))
