"""How often Python looks for garbage: seldom, in a command that ends soon."""

from __future__ import annotations

import gc

_OBJECTS = 50_000


def collect_rarely() -> None:
    """For this process, from now on. Imports and syntax trees make many objects and no garbage to speak of: looking for
    some at every turn costs a tenth of a run.
    """
    gc.set_threshold(_OBJECTS, *gc.get_threshold()[1:])
