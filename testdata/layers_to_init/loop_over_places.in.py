from tensorflow.keras.layers import Dense, Layer


class Block(Layer):
    def call(self, x):
        for self.step in range(3):
            x = Dense(3)(x)
        return x * self.step
