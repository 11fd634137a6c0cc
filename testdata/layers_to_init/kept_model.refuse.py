# refused: functional-model
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.keras.applications import VGG16

SIZE = 4


def resize(size):
    global SIZE
    SIZE = size


@tf.function
def of_an_argument(x, size):
    net = VGG16(include_top=False, weights=None, input_shape=(size, size, 3))
    return net(x)


@tf.function
def of_a_changing_global(x):
    net = VGG16(include_top=False, weights=None, input_shape=(SIZE, SIZE, 3))
    return net(x)


@tf.function
def two_models(x):
    first = VGG16(include_top=False, weights=None)
    second = VGG16(include_top=False, weights=None, pooling="avg")
    return first(x) + second(x)


@tf.function
def depends_on_the_data(x):
    net = VGG16(include_top=False, weights=None) if tf.reduce_sum(x) > 0 else None
    return net(x)
