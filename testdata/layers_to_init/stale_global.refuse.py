# refused: stale-global
import tensorflow as tf
from tensorflow import keras

model = None


@tf.function
def apply(x):
    return model(x)


def run(x, widths):
    global model
    for width in widths:
        if width > 3:
            model = keras.Sequential([keras.layers.Dense(width)])
        else:
            model = keras.Sequential([keras.layers.Dense(3)])
        x = apply(x)
    return x
