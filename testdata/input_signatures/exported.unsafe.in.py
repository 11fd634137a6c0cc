import tensorflow as tf


class Scorer(tf.Module):
    def __init__(self):
        super().__init__()
        self.weights = tf.Variable(tf.ones([3]))

    @tf.function
    def score(self, rows):
        return tf.linalg.matvec(rows, self.weights)


def exported(folder):
    scorer = Scorer()
    for n in range(2, 9):
        scorer.score(tf.ones((n, 3)))
    tf.saved_model.save(scorer, folder)
    return tf.saved_model.load(folder)
