# refused: lazy-guard
from tensorflow.keras.layers import Dense, Layer


class Block(Layer):
    def __init__(self):
        super().__init__()
        self.ready = False

    def call(self, x):
        if not self.ready:
            self.dense = Dense(3)
            self.ready = True
        return self.dense(x)

    def status(self):
        return "ready" if self.is_ready() else "new"

    def is_ready(self):
        return self.ready


class Counts(Layer):
    def __init__(self):
        super().__init__()
        self.dense = None

    def call(self, x):
        if self.dense is None:
            self.dense = Dense(3)
            self.calls = 0
        self.calls += 1
        return self.dense(x)
