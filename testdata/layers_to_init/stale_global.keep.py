import tensorflow as tf
from tensorflow import keras

model = None
scale = 1.0


@tf.function
def apply(x):
    return model(x) * scale


@tf.function
def given(x, net):
    return net(x)


def setup(width):
    global model
    model = keras.Sequential([keras.layers.Dense(width)])


def run(x, widths):
    setup(3)
    for width in widths:
        net = keras.Sequential([keras.layers.Dense(width)])
        x = given(apply(x), net)
    return x


def anew(x, widths):
    global model
    for width in widths:
        model = keras.Sequential([keras.layers.Dense(width)])
        x = model(x)
    return x
