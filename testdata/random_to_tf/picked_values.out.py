import tensorflow as tf

STRENGTHS = (0.1, 0.2, 0.3)


@tf.function
def step(x):
    x = tf.nn.relu(x)
    views = [x, tf.tanh(x), -x]
    x = tf.gather(views, tf.random.uniform([], 0, 3, dtype=tf.int32)) + tf.gather(
        [x, x + 1.0], tf.random.uniform([], 0, 2, dtype=tf.int32)
    )
    strengths = [0.5, 1.0, 2.0]
    strength = tf.gather(strengths, tf.random.uniform([], 0, 3, dtype=tf.int32))
    return x * tf.cast(strength, x.dtype)
