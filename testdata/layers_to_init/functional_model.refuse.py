# refused: functional-model
from tensorflow import keras
from tensorflow.keras import layers


class Net(keras.Model):
    def call(self, x):
        inputs = keras.Input((3,))
        return keras.Model(inputs, layers.Dense(1)(inputs))(x)
