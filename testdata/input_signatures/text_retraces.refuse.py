# refused: text-retraces
import tensorflow as tf


@tf.function
def told(x, name):
    tf.print(name, x)
    return x


def run():
    for i in range(8):
        told(tf.ones([2]), f"step {i}")
        told(tf.ones([2]), str(i))
