import tensorflow as tf


def shift(image, mask):
    return tf.roll(image, 1, axis=0), tf.roll(mask, 1, axis=0)


def mirror(image, mask):
    return tf.reverse(image, [0]), tf.reverse(mask, [0])


def scale(image, mask):
    image = image * 2.0
    return image, mask


AUGMENTATIONS = [shift, mirror, scale]


def augment_one(image, mask):
    fn_index = tf.random.uniform([], 0, len(AUGMENTATIONS), dtype=tf.int32)
    return tf.switch_case(fn_index, [lambda branch=branch: branch(image, mask) for branch in AUGMENTATIONS])


def augment_some(image, mask, k=2):
    for fn_index in tf.unstack(tf.random.shuffle(tf.range(len(AUGMENTATIONS)))[:k], num=k):
        image, mask = tf.switch_case(
            fn_index, [lambda branch=branch: branch(image, mask) for branch in AUGMENTATIONS]
        )
    return tf.switch_case(
        tf.random.uniform([], 0, len(AUGMENTATIONS), dtype=tf.int32),
        [lambda branch=branch: branch(image, mask) for branch in AUGMENTATIONS],
    )


def load(dataset):
    return dataset.map(augment_one), dataset.map(augment_some)


@tf.function
def activate(x):
    x = tf.identity(x)
    x = tf.cond(tf.random.uniform([], 0, 2, dtype=tf.int32) == 0, lambda: tf.nn.relu(x), lambda: tf.tanh(x))
    which = tf.random.uniform([], 0, 2, dtype=tf.int32)
    # The same one for both.
    return tf.cond(which == 0, lambda: tf.abs(x), lambda: tf.square(x)) - tf.cond(
        which == 0, lambda: tf.abs(x + 1.0), lambda: tf.square(x + 1.0)
    )
