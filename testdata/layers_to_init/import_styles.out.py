import tensorflow as tf
import tensorflow.keras.layers as L
from keras import Model
from keras.layers import Dense as D
from tensorflow.compat import v2 as tf2

tfkl = tf.keras.layers


class Net(Model):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.dense = tf.keras.layers.Dense(2)
        self.dense_1 = L.Dense(2)
        self.dense_2 = D(2)
        self.dense_3 = tfkl.Dense(2)
        self.dense_4 = tf2.keras.layers.Dense(2)

    def call(self, x):
        x = self.dense(x)
        x = self.dense_1(x)
        x = self.dense_2(x)
        x = self.dense_3(x)
        return self.dense_4(x)
