import tensorflow as tf


@tf.function
def static(x):
    return tf.concat([x[:, c] for c in range(x.shape[1])], axis=0)


@tf.function
def squares(x: tf.Tensor):
    return tf.map_fn(lambda row: tf.reduce_sum(row**2), x)


@tf.function
def sums(x: tf.Tensor):
    return tf.map_fn(
        lambda i: tf.reduce_sum(x[i]) * 0.5, tf.range(tf.shape(x)[0]), fn_output_signature=x.dtype
    )


@tf.function
def lengths(x: tf.Tensor):
    return tf.map_fn(lambda row: tf.argmax(row), x, fn_output_signature=tf.int64)


@tf.function
def rectified(x: tf.Tensor):
    def one(v):
        return v if v > 0 else -v

    return tf.map_fn(one, x)
