from tensorflow.keras.layers import Dense, Layer


class First:
    def first(self, x):
        return Dense(3)(x)


class Second:
    def second(self, x):
        return Dense(3)(x)


class Both(First, Second, Layer):
    def call(self, x):
        return self.second(self.first(x))


class Base(Layer):
    def call(self, x):
        return x


class Left(Base):
    def left(self, x):
        return Dense(3)(x)


class Right(Base):
    def __init__(self):
        super().__init__()
        self.dense = 5

    def right(self, x):
        return Dense(self.dense)(x)


class Diamond(Left, Right):
    def call(self, x):
        return self.left(self.right(x))


class Sized(Base):
    def __init__(self, units):
        super().__init__()
        self.units = units


class LeftOfSized(Left, Sized):
    def call(self, x):
        return self.left(x)
