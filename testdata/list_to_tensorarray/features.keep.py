"""Names of features, of different width (form 3d), and lists that hold what is no tensor (3i)."""

import tensorflow as tf


@tf.function
def dense_features(features, columns=("age", "income")):
    parts = []
    for column in columns:
        parts.append(tf.cast(features[column], tf.float32))
    for name, value in sorted(features.items()):
        parts.append(tf.one_hot(value, 3))
    names = []
    for name in features:
        names.append(name)
    return tf.concat(parts, axis=-1)
