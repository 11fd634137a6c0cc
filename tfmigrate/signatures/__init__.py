"""What ``tf.function``s are called with, seen in the code or recorded, and which input signatures follow from it."""
