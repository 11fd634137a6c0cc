import math

import tensorflow as tf
from tensorflow import keras

net = keras.Sequential([keras.layers.Dense(2)])
optimizer = keras.optimizers.SGD()
table = tf.Variable(tf.ones([5, 2]))


@tf.function
def train_step(x, rate, weight=0.0):
    with tf.GradientTape() as tape:
        outputs = net(x)
        loss = tf.reduce_mean(tf.square(outputs))
        if weight > 0.0:
            loss += weight * tf.reduce_sum(tf.square(outputs))
    optimizer.learning_rate.assign(rate)
    grads = tape.gradient(loss, net.trainable_variables)
    optimizer.apply_gradients(zip(grads, net.trainable_variables))
    return loss


@tf.function(jit_compile=True)
def scaled(x, step):
    return x * tf.cast(step, tf.float32)


class Decay:
    @tf.function
    def faded(self, factor):
        faded = table * (1.0 - factor)
        return tf.where(faded > factor, faded, -faded)


def train(batches, steps):
    losses = []
    for step in range(steps):
        rate = 0.1 * math.exp(-step / 10)
        for batch in batches:
            losses.append(train_step(batch, rate, weight=0.5 / (1 + step)))
    decay = Decay()
    faded = [decay.faded(i / 10) for i in range(10)]
    return losses, faded, [scaled(table, i) for i, _ in enumerate(batches)], train_step(batches[0], 0.1)
