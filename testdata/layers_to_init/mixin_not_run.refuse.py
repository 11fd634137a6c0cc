# refused: mixin-init-not-run,subclass-skips-init,init-without-super
from tensorflow.keras.layers import Dense, Layer


class Behind:
    def head(self, x):
        return Dense(3)(x)


class Net(Layer, Behind):
    def call(self, x):
        return self.head(x)


class NotCalled:
    def head(self, x):
        return Dense(3)(x)


class Skips(NotCalled, Layer):
    def __init__(self):
        Layer.__init__(self)

    def call(self, x):
        return self.head(x)


class Alone:
    def __init__(self, units):
        self.units = units

    def head(self, x):
        return Dense(self.units)(x)


class CallsBoth(Alone, Layer):
    def __init__(self, units):
        Alone.__init__(self, units)
        Layer.__init__(self)

    def call(self, x):
        return self.head(x)


class Base(Layer):
    def __init__(self):
        super().__init__()

    def call(self, x):
        return Dense(1)(x)


class GoesPast(Base):
    def __init__(self):
        super(Base, self).__init__()
