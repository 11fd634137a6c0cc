import tensorflow as tf
from tensorflow.keras import losses, optimizers

mse = losses.MeanSquaredError()


@tf.function
def update_weights(model, x, target):
    opt = optimizers.SGD(0.05)  # anew in each call
    with tf.GradientTape() as tape:
        y = model(x, training=True)
        loss = mse(target, y)
    grads = tape.gradient(loss, model.trainable_variables)
    # limited before they are applied
    opt.apply_gradients(zip(grads, model.trainable_variables))
    return loss


class Trained(tf.keras.Model):
    def __init__(self, rate):
        super().__init__()
        self.rate = rate
        self.dense = tf.keras.layers.Dense(1)

    def call(self, x):
        return self.dense(x)

    def train_step(self, data):
        x, y = data
        sgd = optimizers.SGD(learning_rate=self.rate)
        with tf.GradientTape() as tape:
            loss = mse(y, self(x))
        sgd.apply_gradients(zip(tape.gradient(loss, self.trainable_variables), self.trainable_variables))
        return {"mse": loss}
