# refused: tf-function-on-call
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Net(keras.Model):
    @tf.function
    def call(self, x):
        return layers.Dense(3)(x)


class Helped(keras.Model):
    def call(self, x):
        return self.head(x)

    @tf.function(jit_compile=True)
    def head(self, x):
        return layers.Dense(3)(x)
