# refused: class-stays-whole,depends-on-unknown-dimension
from tensorflow import keras
from tensorflow.keras import layers


class Net(keras.Model):
    def call(self, x):
        x = layers.Dense(x.shape[0])(x)
        return layers.Dense(3)(x)
