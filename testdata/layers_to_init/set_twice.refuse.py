# refused: set-on-self
from tensorflow.keras.layers import Dense, Layer


class Block(Layer):
    def call(self, x):
        self.dense = Dense(3)
        x = self.dense(x)
        self.dense = Dense(4)
        return self.dense(x)
