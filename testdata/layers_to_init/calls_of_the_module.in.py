from tensorflow.keras import layers


class Block(layers.Layer):
    def call(self, x):
        return layers.add([x, layers.Dense(3)(x)])
