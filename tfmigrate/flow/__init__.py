"""Control flow that a tensor decides, written with TensorFlow's own: ``tf.cond``, ``tf.while_loop``, ``tf.debugging``."""
