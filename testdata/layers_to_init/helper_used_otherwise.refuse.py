# refused: helper-called-more-than-once,in-nested-function
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class PassedOn(layers.Layer):
    def call(self, x):
        return tf.map_fn(self.block, self.block(x))

    def block(self, x):
        return layers.Dense(3)(x)


class Overridden(layers.Layer):
    def call(self, x):
        return self.block(self.block(x))

    def block(self, x):
        return layers.Dense(3)(x)


class Other(Overridden):
    def block(self, x):
        return x


class Callback(layers.Layer):
    def call(self, x):
        return tf.map_fn(lambda h: layers.Dense(3)(h), x)


class Deep(layers.Layer):
    def call(self, x):
        def outer(h):
            def inner(g):
                return layers.Dense(3)(g)

            return inner(h)

        return outer(x)
