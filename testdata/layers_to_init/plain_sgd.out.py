import tensorflow as tf
from tensorflow.keras import losses, optimizers

mse = losses.MeanSquaredError()


@tf.function
def update_weights(model, x, target):
    with tf.GradientTape() as tape:
        y = model(x, training=True)
        loss = mse(target, y)
    grads = tape.gradient(loss, model.trainable_variables)
    # limited before they are applied
    for gradient, variable in zip(grads, model.trainable_variables):
        if gradient is not None:
            variable.assign_sub(0.05 * tf.convert_to_tensor(gradient))
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
        with tf.GradientTape() as tape:
            loss = mse(y, self(x))
        for gradient, variable in zip(
            tape.gradient(loss, self.trainable_variables), self.trainable_variables
        ):
            if gradient is not None:
                variable.assign_sub(self.rate * tf.convert_to_tensor(gradient))
        return {"mse": loss}
