# refused: state-in-call
import tensorflow as tf
from tensorflow import keras


class Net(keras.Model):
    def train_step(self, data):
        optimizer = keras.optimizers.Adam()
        return {}


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
def metric(y, p):
    mean = keras.metrics.Mean()
    mean.update_state(y - p)
    return mean.result()
