# refused: depends-on-input-shape
from tensorflow import keras
from tensorflow.keras import layers


class Changed(layers.Layer):
    def call(self, x):
        x = keras.ops.concatenate([x, x])
        return layers.Dense(x.shape[-1])(x)


class Second(layers.Layer):
    def call(self, x, y):
        return layers.Dense(y.shape[-1])(x)


class Looped(layers.Layer):
    def call(self, x):
        for _ in range(2):
            x = layers.Dense(2 * x.shape[-1])(x)
        return x


class Helped(layers.Layer):
    def call(self, x):
        return self.head(x)

    def head(self, x):
        return layers.Dense(x.shape[-1])(x)


class Step(keras.Model):
    def train_step(self, data):
        return {"y": layers.Dense(data.shape[-1])(data)}
