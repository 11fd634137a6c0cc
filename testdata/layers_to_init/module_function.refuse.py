# refused: outside-class
from tensorflow import keras
from tensorflow.keras import layers


import tensorflow as tf


@tf.function
def step(x):
    return layers.Dense(3)(x)
