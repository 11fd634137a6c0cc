"""What runs in the worker processes. The only package that imports TensorFlow and the user's code."""
