import tensorflow as tf
from tensorflow import keras


class Net(keras.Model):
    def __init__(self, rate):
        super().__init__()
        self.rate = rate
        self.dense = keras.layers.Dense(1)
        self.adam = keras.optimizers.Adam(self.rate)
        self.mean = keras.metrics.Mean(name="mse")

    def call(self, x):
        return self.dense(x)

    def train_step(self, data):
        x, y = data
        self.mean.reset_state()
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self(x) - y) ** 2)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.adam.apply_gradients(zip(gradients, self.trainable_variables))
        self.mean.update_state(loss)
        return {"mse": self.mean.result()}


rm_sprop = keras.optimizers.RMSprop(0.1)


@tf.function
def step(model, x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    rm_sprop.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss


class Meter(tf.Module):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.mean = keras.metrics.Mean()

    @tf.function
    def __call__(self, x):
        self.mean.reset_state()
        self.mean.update_state(x)
        return self.mean.result()
