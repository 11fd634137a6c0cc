# refused: name-shadowed-in-init
from tensorflow.keras import layers
from tensorflow.keras.layers import Layer

kwargs = {"units": 3}
input_shape = 4


class NewInit(Layer):
    def call(self, x):
        return layers.Dense(**kwargs)(x)


class Base(Layer):
    def __init__(self, layers):
        super().__init__()
        self.count = layers


class InheritedInit(Base):
    def call(self, x):
        return layers.Dense(self.count)(x)


class NewBuild(Layer):
    def call(self, x):
        return layers.Dense(x.shape[-1] + input_shape)(x)
