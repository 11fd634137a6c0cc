import tensorflow as tf


@tf.function
def distances(a: tf.Tensor, b: tf.Tensor):
    rows = tf.TensorArray(a.dtype, size=tf.shape(a)[0])
    for i in tf.range(tf.shape(a)[0]):
        row = tf.TensorArray(a.dtype, size=tf.shape(b)[0], element_shape=[])
        for j in tf.range(tf.shape(b)[0]):
            row = row.write(j, tf.reduce_sum(tf.square(a[i] - b[j])))
        rows = rows.write(i, row.stack())
    return rows.stack()


@tf.function
def pairs(a: tf.Tensor, b: tf.Tensor):
    found = tf.TensorArray(a.dtype, size=0, dynamic_size=True, element_shape=[])
    for i in tf.range(tf.shape(a)[0]):
        for j in tf.range(i, tf.shape(b)[0]):
            found = found.write(found.size(), tf.reduce_sum(a[i] * b[j]))
    return found.stack()


@tf.function
def counted(x: tf.Tensor, times: tf.Tensor):
    found = tf.TensorArray(x.dtype, size=0, dynamic_size=True, element_shape=[])
    for _ in tf.range(tf.cast(times, tf.int32)):
        part = tf.TensorArray(x.dtype, size=tf.shape(x)[0], element_shape=[])
        for i in tf.range(tf.shape(x)[0]):
            x = tf.tanh(x)
            part = part.write(i, tf.reduce_sum(x))
        found = found.write(found.size(), tf.reduce_max(part.stack()))
    return found.stack()
