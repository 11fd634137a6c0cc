import tensorflow as tf
from tensorflow import keras


class Slow(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(1, kernel_initializer="ones")
        self.steps = self.add_weight(name="steps", shape=(), dtype="int32", initializer="zeros", trainable=False)

    def call(self, x):
        return self.dense(x)

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self(x, training=True) - y))
            loss = tf.cond(loss > 1.0, lambda: tf.sqrt(loss), lambda: loss)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.steps.assign_add(1)

        def if_true():
            self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))

        tf.cond(self.steps % 2 == 0, if_true, lambda: None)
        return {"step_loss": loss}


class Capped(keras.losses.Loss):
    def call(self, y_true, y_pred):
        error = tf.abs(y_true - y_pred)
        error = tf.cond(tf.reduce_max(error) > 1.0, lambda: tf.sqrt(error), lambda: error)
        return tf.reduce_mean(error, axis=-1)
