class Dense:
    def __init__(self, n):
        self.n = n

    def __call__(self, x):
        return x * self.n


class Net:
    def call(self, x):
        return Dense(3)(x)
