from tensorflow.keras.layers import Dense, Layer


class First:
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.dense = Dense(3)

    def first(self, x):
        return self.dense(x)


class Second:
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.dense_1 = Dense(3)

    def second(self, x):
        return self.dense_1(x)


class Both(First, Second, Layer):
    def call(self, x):
        return self.second(self.first(x))


class Base(Layer):
    def call(self, x):
        return x


class Left(Base):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.dense_1 = Dense(3)

    def left(self, x):
        return self.dense_1(x)


class Right(Base):
    def __init__(self):
        super().__init__()
        self.dense = 5
        self.dense_2 = Dense(self.dense)

    def right(self, x):
        return self.dense_2(x)


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
