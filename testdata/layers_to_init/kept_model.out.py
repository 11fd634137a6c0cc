import functools

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.keras.applications import VGG16
from tensorflow.keras.models import Model

LAYER = "block3_conv3"


@functools.cache
def _perceptual_loss_features():
    with tf.init_scope():
        # pretrained
        vgg = VGG16(include_top=False, weights=None, input_shape=(32, 32, 3))  # no head
        vgg.trainable = False
        for layer in vgg.layers:
            layer.trainable = False
        features = Model(inputs=vgg.input, outputs=vgg.get_layer(LAYER).output)
        features.trainable = False
    return features


def perceptual_loss(y_true, y_pred):
    """Compares features."""
    features = _perceptual_loss_features()
    return tf.reduce_mean(tf.square(features(y_true) - features(y_pred)))


def feature_net(size, width=3):
    inputs = keras.Input((size, size, 1))
    return keras.Model(inputs, layers.Conv2D(width, 3)(inputs))


@functools.cache
def _distance_net(size):
    with tf.init_scope():
        net = feature_net(size, width=4)
        net.load_weights("net.weights.h5")
    return net


# Compared by
# a small network.
@tf.function
def distance(a, b):
    scaled = a / 2.0
    net = _distance_net(a.shape[1])
    return tf.reduce_sum(tf.abs(net(scaled) - net(b)))


@functools.cache
def _style_loss_net(shape, shape_2):
    with tf.init_scope():
        inputs = layers.Input(shape=(shape, shape_2, 3))
        outputs = [layers.Conv2D(units, 3)(inputs) for units in (2, 3)]
        net = keras.Model(inputs, outputs)
    return net


def style_loss(y_true, y_pred):
    net = _style_loss_net(y_pred.shape[1] // 2, y_pred.shape[2])
    return sum(tf.reduce_mean(one) for one in net(y_pred[:, ::2]))


def compiled(model, other):
    model.compile("sgd", loss=perceptual_loss)
    other.compile("sgd", loss={"image": style_loss})
