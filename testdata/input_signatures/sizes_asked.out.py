import tensorflow as tf

kernel = tf.Variable(tf.ones([6, 2]))


@tf.function(input_signature=[tf.TensorSpec([None, 2, 3], tf.float32), tf.TensorSpec([None, 1], tf.float32)])
def _critic(images, labels):
    batch = tf.shape(images)[0]
    flat = tf.reshape(images, [batch, images.shape[1] * images.shape[2]])
    smoothing = tf.fill([batch, 1], 0.1)
    target = tf.concat([labels, smoothing], axis=1)
    pred = tf.matmul(flat, kernel) / kernel.shape[0]
    return tf.reduce_mean(tf.square(pred - target)) + tf.reduce_sum(tf.zeros((tf.shape(labels)[0], 1)))


@tf.function(input_signature=[tf.TensorSpec([None, None], tf.float32)])
def _places(x):
    return x + tf.cast(tf.range(tf.shape(x)[1]), tf.float32)


def run():
    losses = [_critic(tf.ones([n, 2, 3]), tf.zeros([n, 1])) for n in range(1, 6)]
    return losses, [_places(tf.ones([2, n])) for n in range(1, 6)]
