import tensorflow as tf


class Policy:
    @tf.function
    def act(self, observation):
        return tf.convert_to_tensor(observation, tf.float32)


class Other:
    def judge(self, observation):
        return sum(observation)


class Judge:
    @tf.function
    def judge(self, observation):
        return tf.reduce_sum(tf.convert_to_tensor(observation, tf.float32))


@tf.function
def several(one, other):
    return one + tf.cast(other, tf.float32)


@tf.function
def of_two(values):
    return tf.cast(values, tf.float32), tf.cast(values, tf.float64)


@tf.function
def of_any(values):
    return tf.convert_to_tensor(values)


@tf.function
def inside(values):
    return tf.cast(values, tf.float32)


@tf.function
def outside(rows):
    return [inside(row) for row in rows]


def run(agent, judge, rows, names):
    for row in rows:
        agent.act(row)
        judge.judge(row)
        several(row, row)
        of_two(row)
        of_any(row)
    for name in names:
        agent.act(name)
    return inside([1.0, 2.0])
