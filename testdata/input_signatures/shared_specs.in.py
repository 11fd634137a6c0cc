import tensorflow as tf

KNOWN = tf.TensorSpec([None, 5], tf.float32)
BATCH = 8
head = tf.Variable(tf.ones([4, 2]))


class Trainer:
    def __init__(self):
        self.scale = tf.Variable(2.0)

    # What both steps take has one name.
    @tf.function
    def train_step(self, images, labels):
        return tf.reduce_mean(images) * self.scale - tf.reduce_mean(labels)

    @tf.function(jit_compile=False)
    def test_step(self, images, labels):
        return tf.reduce_sum(images) * self.scale - tf.reduce_sum(labels)


# Called otherwise in each; and the name that is nearest is taken.
@tf.function
def _policy(states):
    return tf.einsum("btf,fa->bta", states, head)


@tf.function
def _values(observations, discount):
    return tf.reduce_max(observations, axis=[1, 2]) * discount


# Two tables of one width need not have to do with each other.
@tf.function
def _rates(amounts):
    return amounts / tf.reduce_sum(amounts)


@tf.function
def _decayed(energies):
    return tf.exp(-energies)


# The file has a name for it.
@tf.function
def _first(x):
    return x[:, 0]


@tf.function
def _last(x, discount):
    return x[:, -1] * discount


# Of one function only.
@tf.function
def _distance(left, right):
    return tf.reduce_sum(tf.abs(left - right), axis=[1, 2])


def run():
    trainer = Trainer()
    results = []
    for n in [2, 3, 4, 5]:
        results.append(trainer.train_step(tf.ones([n, 4, 4, 1]), tf.zeros([n, 10])))
        results.append(trainer.test_step(tf.ones([n, 4, 4, 1]), tf.zeros([n, 10])))
        results.append(_policy(tf.ones([n, 6, 4])))
        results.append(_values(tf.ones([n, 6, 4]), tf.constant(0.5)))
        results.append(_rates(tf.ones([n, 3])))
        results.append(_decayed(tf.ones([n, 3])))
        results.append(_first(tf.ones([n, 5])))
        results.append(_last(tf.ones([n, 5]), tf.constant(0.5)))
        results.append(_distance(tf.ones([n, 6, 7]), tf.zeros([n, 6, 7])))
    return results


if __name__ == "__main__":
    print(len(run()))
