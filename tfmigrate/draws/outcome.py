"""What is decided over the draws of a function."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from tfmigrate.blocked import Blocked
from tfmigrate.draws.build import Bound
from tfmigrate.draws.needs import Needs
from tfmigrate.draws.picks import Pick
from tfmigrate.draws.reading import Reading
from tfmigrate.draws.sources import Draw
from tfmigrate.draws.table import Row
from tfmigrate.draws.values import named_dtype


@dataclass(frozen=True, slots=True)
class Decision:
    """What to write, or why nothing is written."""

    blocked: dict[int, Blocked]
    """Draws that stay, by the id of their call."""
    expressions: tuple[tuple[ast.expr, str], ...] = ()
    statements: tuple[tuple[ast.If, str, tuple[ast.stmt, ...]], ...] = ()
    """An ``if``, the lines in its place, and the statements after it that these lines hold too."""
    removed: tuple[ast.stmt, ...] = ()
    """Statements that only made a generator which is not used any more."""
    added: tuple[tuple[ast.stmt, str], ...] = ()
    """Lines to be put before a statement."""
    raises_in_xla: bool = False
    """A draw is one that XLA cannot compile."""


@dataclass(slots=True)
class One:
    """One draw while it is decided on."""

    draw: Draw
    row: Row
    bound: Bound
    needs: Needs
    dtype: str = ""
    """A dtype's name, or the symbol of an input's."""
    pick: Pick | None = None

    def dtype_text(self, reading: Reading) -> str:
        """Code for the dtype at the place of the draw: its own name, or ``x.dtype`` for a tensor ``x`` known there."""
        if not self.dtype.endswith(".dtype"):
            return self.dtype
        return named_dtype(self.dtype, reading.at.get(id(self.draw.call), {}))
