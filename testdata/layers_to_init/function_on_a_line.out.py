import tensorflow as tf
from tensorflow.keras.layers import Dense


dense = Dense(3)


@tf.function
def step(x):
    d = dense; return d(x)


dense = Dense(3)


@tf.function
def one_line(x): return dense(x)
