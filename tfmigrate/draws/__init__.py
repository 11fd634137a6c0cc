"""Random draws in traced code: which there are, what their values are used for, and what TensorFlow draws instead."""
