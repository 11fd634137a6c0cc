import tensorflow as tf
from tensorflow import keras


class Static(keras.layers.Layer):
    def __init__(self, depth=2, scale=None, mode="sum"):
        super().__init__()
        self.depth = depth
        self.scale = scale
        self.mode = mode
        self.blocks = [keras.layers.Dense(3) for _ in range(depth)]

    def call(self, x, training=False, mask=None):
        if training:
            x = x + 1.0
        if mask is not None:
            x = x * tf.cast(mask, x.dtype)
        if x.shape[-1] == 3 and len(x.shape) > 1:
            x = x * 2.0
        if self.scale:
            x = x * self.scale
        if x.dtype == tf.float16 or self.mode in ("sum", "mean"):
            x = tf.cast(x, tf.float32)
        if isinstance(x, tf.RaggedTensor) or tf.is_tensor(mask) or tf.executing_eagerly():
            x = tf.identity(x)
        for block in self.blocks:
            x = block(x)
        for i in range(x.shape[-1]):
            x = x + float(i)
        assert self.depth > 1, "deep"
        return x if self.depth < 5 else max(self.depth, 3) * x
