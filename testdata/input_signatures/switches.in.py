import tensorflow as tf


class Seq2Seq(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(tf.eye(3) * 0.5)

    @tf.function
    def __call__(self, source, target, teacher_forced=True):
        state = tf.reduce_mean(source, axis=1)
        if teacher_forced:
            return tf.einsum("btd,de->bte", target, self.w) + state[:, tf.newaxis]
        return tf.matmul(state, self.w)


@tf.function(jit_compile=False)
def loss_fn(pred, target, mode="train", reduction="mean"):
    err = tf.square(pred - target)
    if mode == "train":
        err = err + 0.01 * tf.square(pred)
    return tf.reduce_mean(err) if reduction in ("mean", "average") else err
