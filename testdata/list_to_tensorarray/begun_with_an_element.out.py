import tensorflow as tf


@tf.function
def feedback(x, steps: tf.Tensor):
    prediction = tf.reduce_mean(x, axis=1)
    predictions = tf.TensorArray(x.dtype, size=tf.cast(steps, tf.int32))
    predictions = predictions.write(0, prediction)
    for i in tf.range(1, tf.cast(steps, tf.int32)):
        prediction = tf.tanh(prediction)
        predictions = predictions.write(i, prediction)
    predictions = predictions.stack()
    return tf.transpose(predictions)


@tf.function
def running_sum(x):
    sums = tf.TensorArray(x.dtype, size=tf.shape(x)[0] + 1, clear_after_read=False)
    sums = sums.write(0, tf.zeros_like(x[0]))
    for i in tf.range(tf.shape(x)[0]):
        sums = sums.write(i + 1, sums.read(i) + x[i])
    return sums.stack()
