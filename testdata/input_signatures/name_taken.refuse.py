# refused: name-taken
import tensorflow as tf


def double(x):
    return x * 2.0


def run(values, double_function=None):
    return [double_function, *each(values)]


def each(values):
    found = []
    for value in values:
        found.append(tf.function(double)(value))
    return found
