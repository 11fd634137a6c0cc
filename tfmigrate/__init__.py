"""tfmigrate: rewrite TensorFlow code so that it runs right as a graph; prove each rewrite by running it."""

from tfmigrate.cases_api import Inputs, case

__all__ = ["Inputs", "__version__", "case"]

__version__ = "0.1.0"
