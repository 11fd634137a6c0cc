# refused: super-not-plain,super-arguments-change,super-sets-attribute,super-reads-attributes
from tensorflow import keras
from tensorflow.keras import layers


class Popped(keras.Model):
    def __init__(self, **kwargs):
        self.dense = layers.Dense(kwargs.pop("units"))
        super().__init__(**kwargs)

    def call(self, x):
        return self.dense(x)


class Handed(keras.Model):
    def __init__(self, **kwargs):
        self.dense = layers.Dense(take_units(kwargs))
        super().__init__(**kwargs)


class Named(keras.Model):
    def __init__(self, name):
        self.dense = layers.Dense(3)
        name = name + "_net"
        super().__init__(name=name)


class Tagged(keras.Model):
    def __init__(self):
        self.tag = "net"
        self.dense = layers.Dense(3)
        super().__init__(name=self.tag)


class Computed(keras.Model):
    def __init__(self):
        self.dense = layers.Dense(3)
        super().__init__(name=make_name())


class Frozen(keras.Model):
    def __init__(self):
        self.trainable = False
        self.dense = layers.Dense(3)
        super().__init__()


class Private(keras.Model):
    def __init__(self):
        self._layers = []
        super().__init__()


class Conditional(keras.Model):
    def __init__(self, name):
        self.dense = layers.Dense(3)
        if name:
            super().__init__(name=name)
        else:
            super().__init__()


class OneLine(keras.Model):
    def __init__(self):
        self.dense = layers.Dense(3); super().__init__()


class Base(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense.build((None, 4))


class Reading(Base):
    def __init__(self):
        self.dense = layers.Dense(3)
        super().__init__()
