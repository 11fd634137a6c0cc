import tensorflow as tf


def windows(series, width):
    found = []
    for start in tf.range(tf.shape(series)[0] - 2):
        found.append(series[start : start + 3])
    return tf.stack(found), width


def dataset(series):
    return tf.data.Dataset.from_tensors((series, 3)).map(windows)
