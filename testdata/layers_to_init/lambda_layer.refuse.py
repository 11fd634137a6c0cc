# refused: lambda-owns-weights,helper-called-more-than-once,depends-on-local,argument-calls-code,attribute-changes-later,variable-not-kept
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


def project(t):
    return layers.Dense(3)(t)


class Named(keras.Model):
    def __init__(self):
        super().__init__()
        self.project = layers.Lambda(project)

    def call(self, x):
        return self.project(x)


class Activated(keras.Model):
    def __init__(self):
        super().__init__()
        self.project = layers.Lambda(lambda t: tf.nn.relu(layers.Dense(3)(t)))

    def call(self, x):
        return self.project(x)


class Twice(keras.Model):
    def __init__(self):
        super().__init__()
        self.project = layers.Lambda(lambda t: layers.Dense(3)(t))

    def call(self, x):
        return self.project(self.project(x))


class Looped(keras.Model):
    def __init__(self):
        super().__init__()
        self.project = layers.Lambda(lambda t: layers.Dense(3)(t))

    def call(self, x):
        for _ in range(2):
            x = self.project(x)
        return x


class Listed(keras.Model):
    def __init__(self):
        super().__init__()
        self.projects = [layers.Lambda(lambda t: layers.Dense(3)(t)) for _ in range(2)]

    def call(self, x):
        for project in self.projects:
            x = project(x)
        return x


class Later(keras.Model):
    def __init__(self):
        super().__init__()
        self.units = 3
        self.project = layers.Lambda(lambda t: layers.Dense(self.units)(t))
        self.units = 4

    def call(self, x):
        return self.project(x)


def make_model(sizes):
    x = inputs = keras.Input((3,))
    for size in sizes:
        x = layers.Lambda(lambda t: layers.Dense(size)(t))(x)
    return keras.Model(inputs, x)


def make_other(sizes):
    inputs = keras.Input((3,))
    return keras.Model(inputs, layers.Lambda(lambda t: layers.Dense(sizes.pop())(t))(inputs))


class Closed(keras.Model):
    def __init__(self):
        super().__init__()
        scale = tf.Variable(1.0)
        self.scaled = layers.Lambda(lambda t: t * scale)

    def call(self, x):
        return self.scaled(x)
