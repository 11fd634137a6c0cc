# refused: in-try
import tensorflow as tf
from tensorflow import keras


@tf.function
def fallback(x):
    try:
        y = tf.math.log(x)
        if tf.reduce_min(x) < 0.0:
            raise ValueError("negative")
    except ValueError as error:
        y = tf.zeros_like(x)
    return y
