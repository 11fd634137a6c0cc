import tensorflow as tf


def windows(series, width):
    found = tf.TensorArray(series.dtype, size=tf.shape(series)[0] - 2)
    for start in tf.range(tf.shape(series)[0] - 2):
        found = found.write(start, series[start : start + 3])
    return found.stack(), width


def dataset(series):
    return tf.data.Dataset.from_tensors((series, 3)).map(windows)
