import tensorflow as tf
from tensorflow import keras


class Net(keras.Model):
    def __init__(self, rate):
        super().__init__()
        self.rate = rate
        self.dense = keras.layers.Dense(1)

    def call(self, x):
        return self.dense(x)

    def train_step(self, data):
        x, y = data
        optimizer = keras.optimizers.Adam(self.rate)
        mean = keras.metrics.Mean(name="mse")
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self(x) - y) ** 2)
        gradients = tape.gradient(loss, self.trainable_variables)
        optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        mean.update_state(loss)
        return {"mse": mean.result()}


@tf.function
def step(model, x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    keras.optimizers.RMSprop(0.1).apply_gradients(
        zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables)
    )
    return loss


class Meter(tf.Module):
    @tf.function
    def __call__(self, x):
        mean = keras.metrics.Mean()
        mean.update_state(x)
        return mean.result()
