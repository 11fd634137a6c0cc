import tensorflow as tf
from tensorflow import keras


class BatchNorm(keras.layers.Layer):
    def __init__(self, width, momentum=0.9, **kwargs):
        super().__init__(**kwargs)
        self.momentum = momentum
        self.beta = self.add_weight(name="beta", shape=[width], initializer="zeros", trainable=True)
        self.gamma = self.add_weight(name="gamma", shape=[width], initializer="ones")  # scale
        self.stats = []
        self.stats.append(self.add_weight(name="mean", shape=[width], initializer="zeros", trainable=False))
        self.steps = self.add_weight(
            name="steps", shape=(), initializer="zeros", dtype="int32", trainable=False
        )
        self.seen = self.add_weight(
            name="seen", shape=(), initializer="zeros", trainable=False, dtype=tf.int64
        )
        self.extra = [
            self.add_weight(
                name=f"extra_{i}",
                shape=(width, 2),
                initializer=tf.keras.initializers.RandomUniform(minval=0.0, maxval=1.0),
            )
            for i in range(2)
        ]

    def build(self, input_shape):
        self.kernel = self.add_weight(
            name="kernel",
            shape=(input_shape[-1], 3),
            initializer=keras.initializers.HeNormal(),
            dtype=tf.float32,
        )
        super().build(input_shape)

    def call(self, x, training=False):
        if training:
            self.stats[0].assign(self.momentum * self.stats[0])
        self.steps.assign_add(1)
        return tf.matmul((x - self.stats[0]) * self.gamma + self.beta, self.kernel)
