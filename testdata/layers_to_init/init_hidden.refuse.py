# refused: init-not-visible
import tensorflow as tf
from tensorflow.keras.layers import Dense, Layer


class Registry(type):
    def __call__(cls, *args, **kwargs):
        return cls.__new__(cls)


class Registered(Layer, metaclass=Registry):
    def call(self, x):
        return Dense(3)(x)


class Untracked(Layer):
    @tf.__internal__.tracking.no_automatic_dependency_tracking
    def __init__(self):
        super().__init__()

    def call(self, x):
        return Dense(3)(x)
