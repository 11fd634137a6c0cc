"""Sizes shared by the modules."""

EMBEDDING_SIZE = 8
HIDDEN_SIZES = (16, 8)
DROPOUT_RATE = 0.2
