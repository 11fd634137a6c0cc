import tensorflow as tf


def augment(image, label):
    if tf.random.uniform([]) < 0.5:
        image = tf.image.flip_left_right(image)
    if tf.random.uniform([]) < 0.2:
        image = tf.image.adjust_brightness(image, tf.random.uniform([], -0.1, 0.1))
    image = tf.image.rot90(image, k=tf.random.uniform([], 0, 4, dtype=tf.int32))
    image = tf.roll(image, tf.random.uniform([], -2, 3, dtype=tf.int32), axis=0)
    return image, label


def pipeline(dataset):
    return dataset.map(augment, num_parallel_calls=2)
