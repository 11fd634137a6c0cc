"""What is rewritten in these tests, and what it becomes."""

NET = """from tensorflow import keras


class Net{}(keras.Model):
    def call(self, x):
        return keras.layers.Dense(4)(x)
"""
AFTER = """from tensorflow import keras


class Net{}(keras.Model):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.dense = keras.layers.Dense(4)

    def call(self, x):
        return self.dense(x)
"""
