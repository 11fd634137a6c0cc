# refused: class-not-supported
import tensorflow as tf
from tensorflow import keras


class Total(keras.metrics.Metric):
    def update_state(self, y_true, y_pred, sample_weight=None):
        self.total = self.add_weight(name="total")
        self.total.assign_add(tf.reduce_sum(y_pred))


class Stack(keras.Sequential):
    def call(self, x):
        return keras.layers.Dense(3)(super().call(x))
