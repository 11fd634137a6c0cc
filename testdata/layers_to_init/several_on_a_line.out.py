import tensorflow as tf
from tensorflow.keras.layers import Dense, Layer


class Block(Layer):
    def __init__(self, units):
        super().__init__(); self.units = units
        self.d = Dense(self.units)
        self.dense = Dense(1)

    def call(self, x):
        d = self.d; y = d(x); return self.dense(y)


class Early(Layer):
    def __init__(self, units):
        super().__init__()
        self.units = units;
        self.dense = Dense(self.units)
        self.a = 1; self.build((None, 3))

    def call(self, x): return self.dense(x);


class Lazy(Layer):
    def __init__(self, units):
        super().__init__(); self.units = units
        self.d = Dense(self.units)
        self.e = Dense(3)
        self.f = Dense(2)

    def call(self, x):
        return self.f(self.e(self.d(x)))


class OneLine(Layer):
    def __init__(self):
        super().__init__()
        self.d = Dense(3)

    def build(self, input_shape):
        self.dense = Dense(input_shape[-1])
        self.built = True

    def call(self, x):
        return self.dense(self.d(x))


class Scratch(Layer):
    def call(self, x):
        v = tf.constant(0.); v = v + tf.reduce_sum(x); return x * v
