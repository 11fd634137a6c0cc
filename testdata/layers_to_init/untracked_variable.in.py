import tensorflow as tf
from tensorflow import keras


class BatchNorm(keras.layers.Layer):
    def __init__(self, width, momentum=0.9, **kwargs):
        super().__init__(**kwargs)
        self.momentum = momentum
        self.beta = tf.Variable(tf.zeros([width]), trainable=True, name="beta")
        self.gamma = tf.Variable(tf.ones([width]))  # scale
        self.stats = []
        self.stats.append(tf.Variable(tf.zeros([width]), trainable=False, name="mean"))
        self.steps = tf.Variable(0, trainable=False)
        self.seen = tf.Variable(0, dtype=tf.int64)
        self.extra = [tf.Variable(tf.random.uniform((width, 2)), name=f"extra_{i}") for i in range(2)]

    def build(self, input_shape):
        self.kernel = tf.Variable(keras.initializers.HeNormal()(shape=(input_shape[-1], 3)), dtype=tf.float32)
        super().build(input_shape)

    def call(self, x, training=False):
        if training:
            self.stats[0].assign(self.momentum * self.stats[0])
        self.steps.assign_add(1)
        return tf.matmul((x - self.stats[0]) * self.gamma + self.beta, self.kernel)
