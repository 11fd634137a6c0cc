# refused: build-not-visible
from tensorflow.keras import layers


class Early(layers.Layer):
    def build(self, input_shape):
        if input_shape[-1] is None:
            return
        self.w = self.add_weight(shape=(input_shape[-1],), initializer="ones")

    def call(self, x):
        return x


class Other(layers.Layer):
    def build(self, *shapes):
        self.w = self.add_weight(shape=(3,), initializer="ones")

    def call(self, x):
        return x
