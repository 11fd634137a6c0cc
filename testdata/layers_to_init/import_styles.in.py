import tensorflow as tf
import tensorflow.keras.layers as L
from keras import Model
from keras.layers import Dense as D
from tensorflow.compat import v2 as tf2

tfkl = tf.keras.layers


class Net(Model):
    def call(self, x):
        x = tf.keras.layers.Dense(2)(x)
        x = L.Dense(2)(x)
        x = D(2)(x)
        x = tfkl.Dense(2)(x)
        return tf2.keras.layers.Dense(2)(x)
