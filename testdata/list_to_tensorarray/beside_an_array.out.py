import tensorflow as tf


class Outer(tf.Module):
    def __init__(self):
        super().__init__()
        self.scale = tf.Variable(0.5)

    def model(self, x):
        return x * self.scale

    @tf.function
    def __call__(self, x, steps):
        """What is written into an array of float32 is of float32."""
        states = tf.TensorArray(tf.float32, size=steps)
        sums = tf.TensorArray(x.dtype, size=tf.cast(steps, tf.int32), element_shape=[])
        for i in tf.range(steps):
            x = self.model(x)
            states = states.write(i, x)
            sums = sums.write(tf.cast(i, tf.int32), tf.reduce_sum(x))
        return states.stack(), sums.stack()
