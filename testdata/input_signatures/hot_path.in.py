import tensorflow as tf

weights = tf.Variable(tf.ones([3, 2]))


# None is what tf.function has by default, and no signature.
@tf.function(input_signature=None, autograph=False)
def _scored(rows):
    return tf.matmul(rows, weights)


@tf.function(
    autograph=False,  # Nothing to convert.
    input_signature=None,  # Not yet.
)
def _summed(rows, scale):
    return tf.reduce_sum(rows, axis=1) * scale


@tf.function(
    autograph=False,  # Neither here.
)
def _shifted(rows, by):
    return rows + by


class Model:
    def __init__(self):
        self.kernel = tf.Variable(tf.ones([2, 2]))

    @tf.function(jit_compile=False, input_signature=None)
    def _applied(self, rows):
        return tf.matmul(rows, self.kernel)

    def run(self, sizes):
        return [self._applied(tf.ones([n, 2])) for n in sizes]


def main():
    results = []
    for n in range(1, 8):
        results.append(_scored(tf.ones([n, 3])))
        results.append(_summed(rows=tf.ones([n, 2]), scale=tf.constant(2.0)))
        results.append(_shifted(tf.ones([n, 4]), tf.constant(1.0)))
    return results + Model().run(range(1, 8))


if __name__ == "__main__":
    main()
