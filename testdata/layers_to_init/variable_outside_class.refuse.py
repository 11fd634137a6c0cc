# refused: outside-class
import tensorflow as tf
from tensorflow import keras


@tf.function
def step(x):
    v = tf.Variable(tf.ones((3,)))
    return v * x
