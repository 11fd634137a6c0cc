import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from unseen import Base


class Scale(layers.Layer):
    def build(self, input_shape):
        self.w = self.add_weight(shape=(input_shape[-1],), initializer="ones")
        super().build(input_shape)

    def call(self, x):
        return x * self.w


class Tower(keras.Model):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.blocks = [Scale() for _ in range(2)]

    def build(self, shape):
        for block in self.blocks:
            block.build(shape)
        self.built = True

    def call(self, x, y):
        for block in self.blocks:
            x = block(x)
        return x + y


class Wide(layers.Dense):
    def build(self, input_shape):
        self.kernel = self.add_weight(name="kernel", shape=(input_shape[-1], self.units))
        self.bias = None
        self.built = True

    def call(self, x):
        return tf.matmul(x, self.kernel)


class Shifted(Scale):
    def build(self, input_shape):
        input_shape = tf.TensorShape(input_shape)
        self.w = self.add_weight(shape=(input_shape[-1],), initializer="zeros")
        self.built = True


class Unseen(Base, layers.Layer):
    def build(self, input_shape):
        self.w = self.add_weight(shape=(3,), initializer="ones")
        self.built = True

    def call(self, x):
        return x
