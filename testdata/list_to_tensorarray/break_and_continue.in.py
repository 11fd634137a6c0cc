import tensorflow as tf


@tf.function
def until_negative(x):
    seen = []
    for i in tf.range(tf.shape(x)[0]):
        if x[i] < 0.0:
            break
        seen.append(x[i])
    return tf.stack(seen), len(seen)


@tf.function
def without_zeros(x):
    kept = []
    for i in tf.range(tf.shape(x)[0]):
        if x[i] == 0.0:
            continue
        kept.append(x[i] * 2.0)
    return tf.stack(kept)
