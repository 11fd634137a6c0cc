from tensorflow.keras.layers import Dense, Layer


class Block(Layer):
    dropout = None

    def __init__(self, depth):
        super().__init__()
        self.depth = depth
        for i in range(depth):
            setattr(self, "dense_%d" % i, Dense(i + 1))
        self.block_dense = Dense(3)
        self.dropout_1 = Dense(1)
        self.block_dense_1 = Dense(3)

    def call(self, x):
        for i in range(self.depth):
            x = getattr(self, f"dense_{i}")(x)
        x = self.block_dense(x)
        return self.dropout_1(self.block_dense_1(x))
