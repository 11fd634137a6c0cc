from tensorflow import keras
from tensorflow.keras import layers


class Stack(layers.Layer):
    """Empty until something is added, and false as long."""

    def __init__(self, units):
        super().__init__()
        self.parts = []
        self.dense = layers.Dense(units)

    def __len__(self):
        return len(self.parts)

    def call(self, x):
        return self.dense(x)


def project(x, units, *, stack=None):
    return (stack if stack is not None else Stack(units))(x)


class Net(keras.Model):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.project_stack = Stack(3)
        self.project_stack_1 = Stack(4)

    def call(self, x):
        return project(project(x, 3, stack=self.project_stack), 4, stack=self.project_stack_1)


def make_model():
    inputs = keras.Input((4,))
    return keras.Model(inputs, project(inputs, 3))
