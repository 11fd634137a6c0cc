from tensorflow.keras.layers import Dense, Layer


class Base(Layer):
    def __init__(self, units, activation="relu", *, kernel_initializer='glorot_uniform', bias_initializer="zeros", **kwargs):
        super().__init__(**kwargs)
        self.units = units
        self.options = {
            "activation": activation,
            "kernel_initializer": kernel_initializer,
            "bias_initializer": bias_initializer,
        }


class Block(Base):
    def call(self, x):
        return Dense(self.units, **self.options)(x)
