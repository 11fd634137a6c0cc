# refused: maybe-traced
import tensorflow as tf

from elsewhere import Base


class Net(Base):
    def call(self, x):
        if tf.reduce_max(x) > 1.0:
            x = x / 2.0
        return x
