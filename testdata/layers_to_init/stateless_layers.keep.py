from tensorflow import keras
from tensorflow.keras import layers


class Net(keras.Model):
    def call(self, x):
        x = layers.Flatten()(x)
        x = layers.ReLU()(x)
        y = layers.Concatenate()([x, x])
        return layers.add([y, y])
