import tensorflow as tf
from tensorflow.keras.layers import Dense, Layer


class Block(Layer):
    def __init__(self, units):
        super().__init__(); self.units = units

    def call(self, x):
        d = Dense(self.units); y = d(x); return Dense(1)(y)


class Early(Layer):
    def __init__(self, units):
        super().__init__()
        self.units = units;
        self.a = 1; self.build((None, 3))

    def call(self, x): return Dense(self.units)(x);


class Lazy(Layer):
    def __init__(self, units):
        super().__init__(); self.d = None; self.units = units
        self.e = None; self.f = None

    def call(self, x):
        if self.d is None: self.d = Dense(self.units); self.e = Dense(3)
        if self.f is None: self.f = Dense(2)
        return self.f(self.e(self.d(x)))


class OneLine(Layer):
    def __init__(self): super().__init__(); self.d = None

    def build(self, input_shape): self.built = True

    def call(self, x):
        if self.d is None: self.d = Dense(3)
        return Dense(x.shape[-1])(self.d(x))


class Scratch(Layer):
    def call(self, x):
        v = tf.Variable(0.); v.assign_add(tf.reduce_sum(x)); return x * v
