import tensorflow as tf


@tf.function
def train_step(model, real, fake, z_dim=8):
    alpha = tf.random.uniform([tf.shape(real)[0], 1], 0.0, 1.0, dtype=real.dtype)
    mixed = alpha * real + (1.0 - alpha) * fake
    mixed += 0.01 * tf.random.normal(tf.shape(real), dtype=real.dtype)
    mixed = mixed * tf.cast(tf.random.uniform(tf.shape(real)) < 0.9, real.dtype)
    noise = tf.random.normal([tf.shape(real)[0], z_dim], 0, 1)
    return model(noise, training=True), mixed
