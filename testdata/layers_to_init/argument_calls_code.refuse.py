# refused: argument-calls-code
from tensorflow import keras
from tensorflow.keras import layers


import random


class Net(layers.Layer):
    def call(self, x):
        return layers.Dropout(random.random())(x)
