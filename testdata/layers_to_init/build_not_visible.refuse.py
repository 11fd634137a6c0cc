# refused: build-not-visible
from tensorflow import keras
from tensorflow.keras import layers


class Early(layers.Layer):
    def build(self, input_shape):
        if self.built:
            return
        super().build(input_shape)

    def call(self, x):
        return layers.Dense(x.shape[-1])(x)


class Base(layers.Layer):
    def call(self, x):
        return layers.Dense(x.shape[-1])(x)


class Own(Base):
    def build(self, input_shape):
        self.built = True
