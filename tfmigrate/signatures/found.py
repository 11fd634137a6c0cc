"""One place that there is something to say of."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tfmigrate.blocked import Blocked
from tfmigrate.codemod import AnyChange, Safety
from tfmigrate.signatures.specs import WrittenSpec
from tfmigrate.unit import Unit

Changes = Callable[[Unit], Iterator[AnyChange]]


@dataclass(frozen=True, slots=True)
class Found:
    """The place, and what becomes of it."""

    code: str
    node: ast.expr | ast.stmt
    symbol: str
    owner: str
    """The class that has to be run to prove it; empty for the function itself."""
    message: str
    outcome: Blocked | Changes
    safety: Safety = Safety.SAFE
    specs: tuple[WrittenSpec, ...] = ()
    """What its signature spells out, and that the file may have a name for then."""
