"""What "the same" means for a codemod's rewrite. Pure data, no TensorFlow.

The verifier compares the original, run eagerly, with the rewritten code in every mode. A claim says which differences are
the point of the rewrite; everything that it does not name must be equal.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Claim:
    """Differences that the codemod announces."""

    first_call_only: bool = False
    """The original starts afresh on each call (it makes new weights): its reference is each call with pinned draws, and
    what one call leaves behind for the next (moving averages, optimizer steps) is not compared across calls."""
    may_track_more: bool = False
    """The rewrite may track variables that the original made and lost in each call. Each must pair up with one that the
    original used in its call; a variable that nothing uses, or one fewer than the original used, is still a difference."""
    may_fix_graph: bool = False
    """The original may raise in graph mode where the rewrite runs."""
    may_fix_eager: bool = False
    """The original may raise eagerly too (Keras 3 locks a built layer)."""
    constant_weight_count: bool = False
    """After the first call no variable is made any more."""
    trains_and_saves: bool = False
    """The rewritten version by itself, where it is a layer or a model: three steps of training give the same losses eagerly
    and as a graph and move the weights that a gradient reaches; its weights can be saved and loaded; it comes back from
    its configuration if the original did; and each weight that the original could save is there under the same path."""
    redraws: bool = False
    """Random numbers come from another generator: no value that follows from them can be the same, and where values are all
    that differs, nothing is proved or disproved. Structure, dtypes, shapes and exceptions must be the same."""
    decides_in_graph: bool = False
    """What Python decided by a tensor is decided in the graph, which holds all ways: a weight that the way taken does not
    use gets a gradient of zeros in place of none; a check that fails raises InvalidArgumentError with the message of the
    original's exception."""
    fewer_traces: bool = False
    """The code's own ``tf.function``s are traced less often by the case's calls than those of the original."""
    stdout: bool = True
    """Printed output must be the same (numbers compared as numbers)."""
