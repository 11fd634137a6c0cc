"""Exit codes of every command, and the errors that end a command before its work begins."""

from __future__ import annotations

import enum


class Exit(enum.IntEnum):
    """Exit codes. A crash is never 1."""

    DONE = 0
    """Nothing to do, or all done, or all proved."""
    DIFFERENCE = 1
    """``diff`` would change something, or verification found a difference."""
    USAGE = 2
    FAILED = 3
    """A bug of ours, or a file that cannot be parsed, read or written. The other files went through."""
    UNVERIFIED = 4
    """Nothing could be verified."""
    INTERRUPTED = 130
    BROKEN_PIPE = 141


class CannotVerify(Exception):
    """TensorFlow or the chosen Keras is missing, or does not start. Nothing was shown or written."""


class UsageError(Exception):
    """What was asked for makes no sense; the message says what to write instead."""
