# refused: state-in-call,never-applied,unsafe,depends-on-call-argument,class-stays-whole
import tensorflow as tf
from tensorflow import keras


class Net(keras.Model):
    def train_step(self, data):
        optimizer = keras.optimizers.Adam()
        return {}


class Stepping(keras.Model):
    def train_step(self, data):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self(keras.layers.Dense(3)(data)))
        optimizer = keras.optimizers.Adam()
        optimizer.minimize(loss, self.trainable_variables, tape=tape)
        return {"loss": loss}


class Measured(keras.layers.Layer):
    def call(self, x):
        mean = keras.metrics.Mean()
        mean.update_state(x)
        return mean.result()


@tf.function
def momentum(gradients, variables):
    opt = keras.optimizers.SGD(0.1, momentum=0.9)
    opt.apply_gradients(zip(gradients, variables))
    return opt


@tf.function
def counted(gradients, variables):
    opt = keras.optimizers.SGD(0.1)
    opt.apply_gradients(zip(gradients, variables))
    return opt.iterations


@tf.function
def rated(gradients, variables, rate):
    opt = keras.optimizers.Adam(rate)
    opt.apply_gradients(zip(gradients, variables))


@tf.function
def metric(y, p):
    mean = keras.metrics.Mean()
    mean.update_state(y - p)
    return mean


@tf.function
def waiting(y, p):
    f1 = keras.metrics.F1Score()
    f1.update_state(y, p)
    return f1.result()


@tf.function
def part(y, p):
    update = keras.metrics.Mean().update_state
    update(y - p)
    return y
