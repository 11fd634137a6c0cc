import tensorflow as tf
from tensorflow import keras


class Table(keras.Model):
    def __init__(self, vocabulary=12, size=4):
        super().__init__()
        self.vocabulary = vocabulary
        self.size = size

    def call(self, ids):
        # one row for each word
        table = tf.Variable(tf.random.normal([self.vocabulary, self.size], stddev=0.1), trainable=True, name="table")
        return tf.reduce_mean(tf.nn.embedding_lookup(table, ids), axis=1)


class Affine(keras.layers.Layer):
    def call(self, x):
        scale = tf.Variable(tf.ones(x.shape[-1]), constraint=keras.constraints.NonNeg())
        shift = tf.Variable(initial_value=0.5)
        return scale * x + shift


class Own(keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.units = units
        self.kernel = None

    def call(self, x):
        if self.kernel is None:
            self.kernel = self.add_weight(name="kernel", shape=(x.shape[-1], self.units))
            self.bias = self.add_weight(name="bias", shape=(self.units,), initializer="zeros")
        return tf.matmul(x, self.kernel) + self.bias


class Counter(keras.layers.Layer):
    def call(self, x):
        if not hasattr(self, "count"):
            self.count = tf.Variable(0, trainable=False)
        self.count.assign_add(1)
        return x * tf.cast(self.count, x.dtype)


class Drawn(keras.layers.Layer):
    def call(self, x):
        w = tf.Variable(keras.initializers.GlorotUniform(seed=1)(shape=(4, 4)))
        u = tf.Variable(tf.random.uniform((4, 4), -1.0, 1.0, seed=2), dtype=tf.float32)
        return tf.matmul(tf.matmul(x, w), u)


class Loop(keras.layers.Layer):
    def call(self, x):
        for _ in range(3):
            x = x + tf.Variable(tf.zeros(()))
        return x


class Module(tf.Module):
    @tf.function
    def __call__(self, x):
        v = tf.Variable(tf.ones([3]))
        return v * x


class NamedFirst(keras.layers.Layer):
    def call(self, x):
        scale = self.add_weight("scale", (1,), initializer="ones")
        shift = self.add_weight("shift", [1], "float32", "zeros", trainable=False)
        return x * scale + shift
