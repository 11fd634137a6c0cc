import tensorflow as tf


@tf.function
def until_negative(x):
    seen = tf.TensorArray(x.dtype, size=0, dynamic_size=True, element_shape=x.shape[1:])
    for i in tf.range(tf.shape(x)[0]):
        if x[i] < 0.0:
            break
        seen = seen.write(seen.size(), x[i])
    return seen.stack(), seen.size()


@tf.function
def without_zeros(x):
    kept = tf.TensorArray(x.dtype, size=0, dynamic_size=True)
    for i in tf.range(tf.shape(x)[0]):
        if x[i] == 0.0:
            continue
        kept = kept.write(kept.size(), x[i] * 2.0)
    return kept.stack()
