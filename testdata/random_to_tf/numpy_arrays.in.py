import numpy as np
import tensorflow as tf


@tf.function
def train_step(model, real, fake, z_dim=8):
    alpha = np.random.uniform(size=[real.shape[0], 1], low=0.0, high=1.0)
    mixed = alpha * real + (1.0 - alpha) * fake
    mixed += 0.01 * np.random.randn(*real.shape)
    mixed = mixed * np.random.binomial(1, 0.9, size=real.shape)
    noise = np.random.normal(0, 1, (len(real), z_dim)).astype("float32")
    return model(noise, training=True), mixed
