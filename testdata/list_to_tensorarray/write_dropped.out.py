import tensorflow as tf


@tf.function
def label(x: tf.Tensor):
    labels = tf.TensorArray(tf.string, size=tf.shape(x)[0])
    for i in tf.range(tf.shape(x)[0]):
        if x[i] > 0.0:
            labels = labels.write(i, "positive")
        else:
            labels = labels.write(i, "other")
    return labels.stack()


class Memory(tf.Module):
    @tf.function
    def __call__(self, x: tf.Tensor):
        self.memory = tf.TensorArray(tf.float32, size=3)
        self.memory = self.memory.unstack(x)
        last = tf.TensorArray(x.dtype, size=1)
        for _ in range(1):
            last = last.write(0, x[2]); x = x + 1.0
        return self.memory.stack(), last.stack()
