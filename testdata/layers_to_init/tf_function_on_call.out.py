import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Chain(keras.Model):
    def __init__(self):
        super().__init__()
        self.wide = layers.Dense(8, activation="relu")
        self.norm = layers.BatchNormalization()
        self.drop = layers.Dropout(0.1)
        self.out = layers.Dense(2)

    def build(self, input_shape):
        self.wide.build(input_shape)
        wide_shape = self.wide.compute_output_shape(input_shape)
        self.norm.build(wide_shape)
        norm_shape = self.norm.compute_output_shape(wide_shape)
        self.out.build(norm_shape)
        super().build(input_shape)

    @tf.function
    def call(self, x, training=False):
        x = self.norm(self.wide(x), training=training)
        if training:
            x = self.drop(x, training=training)
        return self.out(tf.nn.relu(x) * 2.0)


class Blocks(layers.Layer):
    def __init__(self, n):
        super().__init__()
        self.blocks = [layers.Conv1D(4, 3, padding="same") for _ in range(n)]
        self.flat = layers.Flatten()
        self.head = layers.Dense(1)

    def build(self, input_shape):
        blocks_shape = input_shape
        for block in self.blocks:
            block.build(blocks_shape)
            blocks_shape = block.compute_output_shape(blocks_shape)
        flat_shape = self.flat.compute_output_shape(blocks_shape)
        self.head.build(flat_shape)
        super().build(input_shape)

    @tf.function(jit_compile=True)
    def call(self, inputs):
        x = inputs
        for block in self.blocks:
            x = block(x)
        return self.head(self.flat(x))
