import tensorflow as tf
from tensorflow.keras.layers import Dense


dense = Dense(3)


@tf.function
def step(x):
    d = dense; return d(x)


dense_1 = Dense(3)


@tf.function
def one_line(x): return dense_1(x)
