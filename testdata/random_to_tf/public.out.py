import tensorflow as tf


def penalty(real, fake):
    eps = tf.random.uniform([tf.shape(real)[0], 1], 0.0, 1.0, dtype=real.dtype)
    mixed = eps * real + (1.0 - eps) * fake
    return tf.reduce_mean(mixed)


def negatives(features, k):
    index = tf.random.shuffle(tf.range(tf.shape(features)[0]))[:k]
    return tf.gather(features, index)


def classes(class_ids, weights, num_classes):
    chosen = tf.cast(
        tf.gather(
            class_ids, tf.random.categorical(tf.math.log(tf.cast([weights], tf.float32)), num_classes)[0]
        ),
        tf.int32,
    )
    return tf.cast(chosen, tf.int32)


def mirrored(image):
    return tf.reverse(image, [0])


def doubled(image):
    return image * 2.0


def augmented(image):
    return tf.cond(
        tf.random.uniform([], 0, 2, dtype=tf.int32) == 0, lambda: mirrored(image), lambda: doubled(image)
    )


class Noise(tf.Module):
    def noisy(self, x):
        return tf.nn.relu(x) + tf.random.normal([], 0.0, 0.1, dtype=x.dtype)
