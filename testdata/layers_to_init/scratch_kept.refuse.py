# refused: scratch-variable,class-stays-whole
import tensorflow as tf
from tensorflow import Variable
from tensorflow.keras.layers import Dense, Layer


class OtherName(Layer):
    def call(self, x):
        total = tf.Variable(0.0)
        same = total
        total.assign_add(1.0)
        return same * x


class InAList(Layer):
    def call(self, x):
        total = tf.Variable(0.0)
        seen = []
        for _ in range(3):
            total.assign_add(1.0)
            seen.append(total)
        return tf.stack(seen)


class MakesALayer(Layer):
    def call(self, x):
        out = tf.Variable(tf.zeros((2, 3)))
        out.assign(Dense(3)(x))
        return out


class NameOfTheModule(Layer):
    def call(self, x):
        total = Variable(0.0)
        total.assign_add(1.0)
        return total * x


class BesideAnother(Layer):
    def call(self, x):
        out = tf.Variable(tf.zeros((2, 3)))
        for i in range(3):
            out[:, i].assign(x[:, i]); x = x + 1
        return out
