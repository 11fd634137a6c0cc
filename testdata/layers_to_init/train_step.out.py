from tensorflow import keras
from tensorflow.keras import layers


import tensorflow as tf


class Gan(keras.Model):
    def __init__(self, generator):
        super().__init__()
        self.generator = generator
        self.gaussian_noise = layers.GaussianNoise(0.1)

    def call(self, x):
        return self.generator(x)

    def train_step(self, data):
        noise = self.gaussian_noise(data, training=True)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self(noise))
        grads = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        return {"gan_loss": loss}
