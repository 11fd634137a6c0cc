"""Names for new attributes and loop variables: as a person would choose them, and free."""

from __future__ import annotations

import ast
import keyword

from tfmigrate.hoist.move import Move
from tfmigrate.hoist.owner import Owner
from tfmigrate.syntax import plural, snake_case

_VAGUE = frozenset("x y z h l f out outputs output inputs input layer tmp temp res result model m".split())


class Namer:
    """Gives out attribute names of one class, each once."""

    def __init__(self, owner: Owner) -> None:
        self._taken = set(owner.taken)

    def attribute(self, move: Move) -> str:
        """The name for what ``move`` makes; plural for a list."""
        name = singular(move)
        return self._free(plural(name) if move.context.loops else name)

    def _free(self, name: str) -> str:
        chosen, count = name, 0
        while chosen in self._taken:
            count += 1
            chosen = f"{name}_{count}"
        self._taken.add(chosen)
        return chosen


def singular(move: Move) -> str:
    """The local name it had, else its literal ``name=``, else what Keras would call it."""
    binding = move.context.binding
    if binding is not None and binding.name not in _VAGUE:
        return binding.name.lstrip("_") or binding.name
    for argument in move.call.keywords:
        if argument.arg == "name" and isinstance(argument.value, ast.Constant):
            given = argument.value.value
            if isinstance(given, str) and given.isidentifier() and not keyword.iskeyword(given):
                return given
    return snake_case(move.qualified.rpartition(".")[2]) or "layer"
