import tensorflow as tf

kernel = tf.Variable(tf.ones([6, 2]))


@tf.function
def _critic(images, labels):
    batch = images.shape[0]
    flat = tf.reshape(images, [batch, images.shape[1] * images.shape[2]])
    smoothing = tf.fill([batch, 1], 0.1)
    target = tf.concat([labels, smoothing], axis=1)
    pred = tf.matmul(flat, kernel) / kernel.shape[0]
    return tf.reduce_mean(tf.square(pred - target)) + tf.reduce_sum(tf.zeros((labels.shape[0], 1)))


@tf.function
def _places(x):
    return x + tf.cast(tf.range(x.shape[1]), tf.float32)


def run():
    losses = [_critic(tf.ones([n, 2, 3]), tf.zeros([n, 1])) for n in range(1, 6)]
    return losses, [_places(tf.ones([2, n])) for n in range(1, 6)]
