import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.keras.applications import VGG16
from tensorflow.keras.models import Model

LAYER = "block3_conv3"


def perceptual_loss(y_true, y_pred):
    """Compares features."""
    # pretrained
    vgg = VGG16(include_top=False, weights=None, input_shape=(32, 32, 3))  # no head
    vgg.trainable = False
    for layer in vgg.layers:
        layer.trainable = False
    features = Model(inputs=vgg.input, outputs=vgg.get_layer(LAYER).output)
    features.trainable = False
    return tf.reduce_mean(tf.square(features(y_true) - features(y_pred)))


def feature_net(size, width=3):
    inputs = keras.Input((size, size, 1))
    return keras.Model(inputs, layers.Conv2D(width, 3)(inputs))


# Compared by
# a small network.
@tf.function
def distance(a, b):
    scaled = a / 2.0
    net = feature_net(a.shape[1], width=4)
    net.load_weights("net.weights.h5")
    return tf.reduce_sum(tf.abs(net(scaled) - net(b)))


def style_loss(y_true, y_pred):
    inputs = layers.Input(shape=(y_pred.shape[1] // 2, y_pred.shape[2], 3))
    outputs = [layers.Conv2D(units, 3)(inputs) for units in (2, 3)]
    net = keras.Model(inputs, outputs)
    return sum(tf.reduce_mean(one) for one in net(y_pred[:, ::2]))


def compiled(model, other):
    model.compile("sgd", loss=perceptual_loss)
    other.compile("sgd", loss={"image": style_loss})
