import tensorflow as tf


class Walk(tf.Module):
    def __init__(self):
        super().__init__()
        self._path = []

    @tf.function
    def __call__(self, x: tf.Tensor):
        self._path = []
        for i in tf.range(tf.shape(x)[0]):
            self._path.append(x[i] + 1.0)
        return tf.stack(self._path)
