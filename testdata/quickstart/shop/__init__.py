"""A small recommender for a web shop, as it grew: it runs eagerly, and nobody has tried to compile it yet."""

from .model import Recommender

__all__ = ["Recommender"]
