import tensorflow as tf


def augment(image, label):
    gain, offset = tf.random.uniform([], 0.9, 1.1, dtype=image.dtype), tf.random.normal(
        [], 0, 0.1, dtype=image.dtype
    )
    gain *= 1.5
    image = image * abs(gain) + offset
    scale = tf.cast([tf.random.uniform([]), 1.0], tf.float32)
    shift = tf.convert_to_tensor(tf.random.uniform([], -1, 1))
    image = tf.add(image, tf.random.uniform([], dtype=image.dtype)) * scale[0] + shift
    sign = tf.cond(tf.random.uniform([]) < 0.5, lambda: 1.0, lambda: -1.0)
    return (
        tf.cond(tf.random.uniform([]) < 0.5, lambda: image * tf.cast(sign, image.dtype), lambda: image),
        label,
    )


def pipeline(dataset):
    return dataset.map(augment).filter(lambda image, label: tf.random.uniform([]) < 0.5)
