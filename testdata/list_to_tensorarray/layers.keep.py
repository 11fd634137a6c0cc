"""Another layer in each turn (forms 3a, 3b and 3c), and ensembles."""

import tensorflow as tf
from tensorflow import keras


class Stack(keras.Model):
    def __init__(self, depth=2, heads=(1, 2)):
        super().__init__()
        self.blocks = [keras.layers.Dense(4) for _ in range(depth)]
        self.gates = [keras.layers.Dense(4) for _ in range(depth)]
        self.depth = depth
        self.heads = heads

    def call(self, x, return_all=False):
        hidden = ()
        for block in self.blocks:
            x = block(x)
            if return_all:
                hidden = hidden + (x,)
        gated = []
        for i in range(self.depth):
            gated.append(self.gates[i](x) * self.heads[i])
        for gate in self.gates:
            gated.append(gate(x))
        out = tf.concat(gated, axis=-1)
        return (out, hidden) if return_all else out


class Ensemble(tf.Module):
    def __init__(self, members):
        super().__init__()
        self.members = members

    @tf.function
    def __call__(self, x):
        return tf.stack([member(x) for member in self.members])
