import tensorflow as tf


class Rnn(tf.Module):
    def __init__(self, units):
        super().__init__()
        self.units = units
        self.kernel = tf.Variable(tf.ones([3, units]) * 0.1)
        self.recurrent = tf.Variable(tf.eye(units) * 0.5)

    @tf.function(input_signature=[tf.TensorSpec([None, None, 3], tf.float32)])
    def __call__(self, x):
        """Two lists, and a state that is carried."""
        batch, steps, _ = tf.unstack(tf.shape(x))
        h = tf.zeros([batch, self.units])
        outputs = []
        norms = []
        for t in tf.range(steps):
            h = tf.tanh(tf.matmul(x[:, t], self.kernel) + tf.matmul(h, self.recurrent))
            outputs.append(h)
            norms.append(tf.norm(h))  # of all units
        return tf.stack(outputs, axis=1), tf.stack(norms), h
