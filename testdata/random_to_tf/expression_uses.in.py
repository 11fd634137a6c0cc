import random

import tensorflow as tf


def augment(image, label):
    gain, offset = random.uniform(0.9, 1.1), random.gauss(0, 0.1)
    gain *= 1.5
    image = image * abs(gain) + float(offset)
    scale = tf.constant([random.random(), 1.0], dtype=tf.float32)
    shift = tf.convert_to_tensor(random.uniform(-1, 1))
    image = tf.add(image, random.random()) * scale[0] + shift
    sign = 1.0 if random.random() < 0.5 else -1.0
    return tf.cond(random.random() < 0.5, lambda: image * sign, lambda: image), label


def pipeline(dataset):
    return dataset.map(augment).filter(lambda image, label: random.random() < 0.5)
