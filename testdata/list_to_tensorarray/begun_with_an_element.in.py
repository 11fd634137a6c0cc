import tensorflow as tf


@tf.function
def feedback(x, steps: tf.Tensor):
    prediction = tf.reduce_mean(x, axis=1)
    predictions = [prediction]
    for _ in tf.range(1, tf.cast(steps, tf.int32)):
        prediction = tf.tanh(prediction)
        predictions.append(prediction)
    predictions = tf.stack(predictions)
    return tf.transpose(predictions)


@tf.function
def running_sum(x):
    sums = [tf.zeros_like(x[0])]
    for i in tf.range(tf.shape(x)[0]):
        sums.append(sums[-1] + x[i])
    return tf.stack(sums)
