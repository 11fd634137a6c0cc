import tensorflow as tf


@tf.function
def parts(x: tf.Tensor, scale: tf.Tensor):
    found = tf.TensorArray(x.dtype, size=0, dynamic_size=True, element_shape=[])
    found = found.write(0, tf.reduce_sum(x))
    if tf.reduce_max(x) > 1.0:
        found = found.write(found.size(), tf.reduce_sum(x) * 2.0)
    return found.stack()
