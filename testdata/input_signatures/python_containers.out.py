import numpy as np
import tensorflow as tf


class Policy(tf.Module):
    def __init__(self):
        super().__init__()
        self.weights = tf.Variable(tf.reshape(tf.range(6, dtype=tf.float32), [3, 2]))

    @tf.function
    def act(self, observation, legal):
        observation = tf.convert_to_tensor([observation], dtype="float32")
        logits = tf.matmul(observation, self.weights)[0]
        mask = tf.convert_to_tensor(legal["actions"], tf.float32)
        return tf.argmax(logits + (mask - 1.0) * 1e9), logits


@tf.function
def mean_of(values):
    return tf.reduce_mean(tf.cast(values, tf.float32))


def run(policy, observations, legals):
    found = []
    for observation, legal in zip(observations, legals):
        found.append(
            policy.act(
                tf.convert_to_tensor(observation, tf.float32),
                legal={"actions": tf.convert_to_tensor(legal, tf.float32)},
            )
        )
    return found


def means():
    return [mean_of(tf.cast([i, i + 1, 2 * i], tf.float32)) for i in range(6)]


def means_of_arrays(rows):
    return [mean_of(np.asarray(row)) for row in rows]
