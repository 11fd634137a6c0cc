"""tfmigrate: rewrite TensorFlow code so that it runs correctly as a graph, and prove each rewrite by running it."""

__version__ = "0.1.0"
