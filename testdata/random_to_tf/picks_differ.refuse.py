# refused: choice-types
import random

import numpy as np
import tensorflow as tf


def crop(image):
    return tf.image.central_crop(image, 0.5)


def brighten(image):
    return tf.image.adjust_brightness(image, random.uniform(-0.2, 0.2))


def flip(image):
    return tf.image.flip_left_right(image)


def as_float(image):
    return tf.cast(image, tf.float32)


def cropped(image):
    return random.choice([crop, flip])(image)


def drawn_inside(image):
    return random.choice([brighten, flip])(image)


def converted(image):
    fn = [as_float, flip][np.random.randint(2)]
    return fn(image)


def load(dataset):
    return dataset.map(cropped), dataset.map(drawn_inside), dataset.map(converted)


class Widths(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.narrow = tf.keras.layers.Dense(4)
        self.wide = tf.keras.layers.Dense(8)
        self.penalised = tf.keras.layers.Dense(4, activity_regularizer="l2")

    def call(self, x):
        if x.shape.rank == 2:
            return random.choice([self.narrow, self.penalised])(x)
        return random.choice([self.narrow, self.wide])(x)
