"""Building blocks of the vision models."""

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class SqueezeExcite(layers.Layer):
    """Weighs the channels of an image by what the whole of it shows."""

    def __init__(self, ratio=2, **kwargs):
        super().__init__(**kwargs)
        self.ratio = ratio

    def call(self, images):
        _, _, _, channels = images.shape
        weights = tf.reduce_mean(images, axis=[1, 2], keepdims=True)
        weights = layers.Conv2D(channels // self.ratio, 1, activation="relu")(weights)
        weights = layers.Conv2D(channels, 1, activation="sigmoid")(weights)
        return images * weights


class ConvBlock(keras.Model):
    def __init__(self, filters=4):
        super().__init__()
        self.filters = filters

    def call(self, images, training=False):
        x = layers.Conv2D(self.filters, 3, padding="same", use_bias=False)(images)
        x = layers.BatchNormalization()(x, training=training)
        return tf.nn.relu(x)


class Tower(keras.Model):
    def __init__(self, widths=(8, 4)):
        super().__init__()
        self.widths = widths

    def call(self, features):
        last = len(self.widths) - 1
        for i, width in enumerate(self.widths):
            features = layers.Dense(width, name=f"fc_{i}")(features)
            if i < last:
                features = keras.activations.relu(features)
        return features


class Residual(layers.Layer):
    """Makes what it needs where it should."""

    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.dense = layers.Dense(units, activation="relu")

    def call(self, features):
        return features + self.dense(features)


class Elastic(layers.Layer):
    """As wide as its caller says."""

    def call(self, features, width):
        return layers.Dense(width)(features)


class LazyHead(keras.Model):
    """Made when it is first called, as was usual with Keras 2."""

    def __init__(self, classes=3):
        super().__init__()
        self.classes = classes
        self.head = None

    def call(self, features):
        if self.head is None:
            self.head = layers.Dense(self.classes)
        return tf.nn.softmax(self.head(features))


class Affine(layers.Layer):
    def call(self, features):
        scale = tf.Variable(tf.ones(features.shape[-1]), name="scale")
        shift = tf.Variable(tf.zeros(features.shape[-1]), name="shift")
        return scale * features + shift


class EarlyScale(keras.Model):
    """Keeps a variable before Keras is ready for it."""

    def __init__(self, start=1.5):
        self.scale = tf.Variable(start)
        super().__init__()

    def call(self, features):
        return features * self.scale


class Whitening(layers.Layer):
    """Its weights are plain variables, which Keras 3 does not track."""

    def __init__(self, width=4, **kwargs):
        super().__init__(**kwargs)
        self.mean = tf.Variable(tf.zeros([width]), trainable=False, name="mean")
        self.gamma = tf.Variable(tf.ones([width]), name="gamma")

    def call(self, features):
        return (features - self.mean) * self.gamma
