import tensorflow as tf


class Twist(tf.keras.layers.Layer):
    def call(self, x, training=None):
        way = tf.random.uniform([])

        def if_drawn():
            return tf.nn.relu(x)

        def otherwise(x=x):
            def if_drawn_2():
                return -x

            def otherwise_2():
                return x + 1.0

            x = tf.cond(way < 0.6, if_drawn_2, otherwise_2)
            return x

        x = tf.cond(way < 0.3, if_drawn, otherwise)
        if training:
            x = x * tf.random.uniform([], 0.9, 1.1, dtype=x.dtype)

            def if_drawn_3(x=x):
                # Twice.
                y = x * 2.0

                def if_drawn_4():
                    return y + 1.0

                def otherwise_4():
                    return y

                y = tf.cond(tf.random.uniform([]) < 0.5, if_drawn_4, otherwise_4)
                x = y
                return x

            def otherwise_3():
                return x

            x = tf.cond(tf.random.uniform([]) < 0.5, if_drawn_3, otherwise_3)
        return x


@tf.function
def twist(x):
    x = tf.tanh(x)
    way = tf.random.uniform([])
    if way < 0.3:
        x = tf.nn.relu(x)
    elif way < 0.6:
        x = -x
    else:
        if tf.random.uniform([]) < 0.5:
            x = x + 1.0
    return x
