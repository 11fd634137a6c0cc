from tensorflow.keras.layers import Dense, Layer


class Block(Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.dense_layers = [Dense(3) for _ in range(3)]

    def call(self, x):
        for self.step, dense in zip(range(3), self.dense_layers):
            x = dense(x)
        return x * self.step
