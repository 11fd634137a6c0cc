"""Lists that grow in loops of a graph: how they are found, and the ``tf.TensorArray`` that takes their place."""
