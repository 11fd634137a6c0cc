import tensorflow as tf
from tensorflow.keras.layers import Dense, Layer


class InBlocks(Layer):
    def __init__(self, mode, units=None, options=None):
        super().__init__()
        self.mode = mode
        self.units = units
        self.options = options

    def call(self, x):
        with tf.name_scope("check"):
            if self.options is None:
                return x
        if self.options["skip"]:
            return x
        if self.mode == "none":
            return x
        elif self.units is None:
            return x
        return Dense(self.units, **self.options["dense"])(x)
