"""Variables and gradients (form 3f), operations that are collected (3g), and Python lists side by side (3e)."""

import tensorflow as tf


class Trainer(tf.Module):
    def __init__(self, model, optimizer):
        super().__init__()
        self.model = model
        self.optimizer = optimizer

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(x) - y))
        gradients = []
        for gradient in tape.gradient(loss, self.model.trainable_variables):
            gradients.append(tf.clip_by_norm(gradient, 1.0))
        updates = []
        for gradient, variable in zip(gradients, self.model.trainable_variables):
            updates.append(variable.assign_sub(0.1 * gradient))
        with tf.control_dependencies(updates):
            return tf.identity(loss)
