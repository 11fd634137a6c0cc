import tensorflow as tf
from tensorflow import keras


class Table(keras.Model):
    def __init__(self, vocabulary=12, size=4):
        super().__init__()
        self.vocabulary = vocabulary
        self.size = size
        # one row for each word
        self.table = self.add_weight(
            name="table",
            shape=[self.vocabulary, self.size],
            initializer=tf.keras.initializers.RandomNormal(mean=0.0, stddev=0.1),
            trainable=True,
        )

    def call(self, ids):
        return tf.reduce_mean(tf.nn.embedding_lookup(self.table, ids), axis=1)


class Affine(keras.layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.shift = self.add_weight(name="shift", shape=(), initializer=tf.keras.initializers.Constant(0.5))

    def build(self, input_shape):
        self.scale = self.add_weight(
            name="scale", shape=(input_shape[-1],), initializer="ones", constraint=keras.constraints.NonNeg()
        )
        super().build(input_shape)

    def call(self, x):
        return self.scale * x + self.shift


class Own(keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.units = units
        self.bias = self.add_weight(name="bias", shape=(self.units,), initializer="zeros")

    def build(self, input_shape):
        self.kernel = self.add_weight(name="kernel", shape=(input_shape[-1], self.units))
        super().build(input_shape)

    def call(self, x):
        return tf.matmul(x, self.kernel) + self.bias


class Counter(keras.layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.count = self.add_weight(
            name="count", shape=(), initializer="zeros", dtype="int32", trainable=False
        )

    def call(self, x):
        self.count.assign_add(1)
        return x * tf.cast(self.count, x.dtype)


class Drawn(keras.layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.w = self.add_weight(name="w", shape=(4, 4), initializer=keras.initializers.GlorotUniform(seed=1))
        self.u = self.add_weight(
            name="u",
            shape=(4, 4),
            initializer=tf.keras.initializers.RandomUniform(minval=-1.0, maxval=1.0, seed=2),
            dtype=tf.float32,
        )

    def call(self, x):
        return tf.matmul(tf.matmul(x, self.w), self.u)


class Loop(keras.layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.variable_list = [self.add_weight(shape=(), initializer="zeros") for _ in range(3)]

    def call(self, x):
        for variable in self.variable_list:
            x = x + variable
        return x


class Module(tf.Module):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.v = tf.Variable(tf.ones([3]))

    @tf.function
    def __call__(self, x):
        return self.v * x


class NamedFirst(keras.layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.scale = self.add_weight(name="scale", shape=(1,), initializer="ones")
        self.shift = self.add_weight(
            name="shift", shape=[1], dtype="float32", initializer="zeros", trainable=False
        )

    def call(self, x):
        return x * self.scale + self.shift
