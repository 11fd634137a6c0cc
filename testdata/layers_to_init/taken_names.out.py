from tensorflow import keras
from tensorflow.keras import layers


class Net(keras.Model):
    def __init__(self, dense=3, dropout=0.1):
        super().__init__()
        self.dense = dense
        self.dropout = dropout
        self.dense_2 = layers.Dense(self.dense)
        self.output_1 = layers.Dropout(self.dropout, name="output")

    def call(self, x):
        output = self.dense_2(x)
        return self.output_1(output)

    def dense_1(self):
        return self.dense
