import tensorflow as tf


@tf.function
def standardise(image, keep=True):
    if len(image.shape) == 3:
        image = image[tf.newaxis]
    return image if keep else image[0]


@tf.function
def sized(x, transpose=False):
    x = tf.reshape(x, [x.shape[0], -1])
    return tf.transpose(x) if transpose else x


@tf.function
def unknown(x, scorer, train=False):
    return scorer(x) if train else x


@tf.function
def summed(x, mean=False):
    total = tf.zeros([3])
    for row in x:
        total = total + row
    return total / 2.0 if mean else total


@tf.function(reduce_retracing=True)
def relaxed(x, train=False):
    return -x if train else x


@tf.function
def handed(x, mode="mean"):
    return tf.strings.join([mode, x])


class Net(tf.keras.Model):
    @tf.function
    def call(self, x, training=False):
        return -x if training else x
