"""Names for new attributes and loop variables: as a person would choose them, and free."""

from __future__ import annotations

import ast
import keyword

from tfmigrate import tables
from tfmigrate.hoist.context import Binding, Kept
from tfmigrate.hoist.move import Move
from tfmigrate.hoist.owner import Owner
from tfmigrate.project.index import Kind
from tfmigrate.syntax import plural, snake_case

_VAGUE = frozenset(
    [
        "x",
        "y",
        "z",
        "h",
        "l",
        "f",
        "out",
        "outputs",
        "output",
        "inputs",
        "input",
        "layer",
        "tmp",
        "temp",
        "res",
        "result",
        "model",
        "m",
    ]
)


class Namer:
    """Gives out attribute names of one class, each once.

    ``given`` holds what was given out in this file, by class: a subclass must not take a name that its base just got.
    Relatives in other files are rewritten on their own; where one has layers to move as well, names start with the
    class's own, so that the two cannot meet.
    """

    def __init__(self, owner: Owner, given: dict[str, set[str]]) -> None:
        relatives = set(owner.family)
        self._taken = owner.taken.union(*(names for name, names in given.items() if name in relatives))
        self._given = given.setdefault(owner.qualified, set())
        self._made_up = owner.made_up_names
        self._own = f"{snake_case(owner.name.rpartition('.')[2])}_"
        self._prefix = self._own if _has_busy_relatives(owner) else ""

    def attribute(self, move: Move) -> str:
        """The name for what ``move`` makes; plural for a list."""
        if isinstance(move.context.binding, Kept):
            return move.context.binding.attribute
        one = singular(move)
        if move.lasting is not None and one in tables.RESERVED_ATTRIBUTES:  # `optimizer`
            one = snake_case(move.qualified.rpartition(".")[2])
        name = self._prefix + (f"{move.passed.name.lstrip('_')}_" if move.passed else "") + one
        return self._free(plural(name) if move.context.loops else name)

    def _free(self, name: str) -> str:
        if any(f"{name}_1".startswith(beginning) for beginning in self._made_up):
            name = self._own + name
        chosen, count = name, 0
        while chosen in self._taken | self._given:
            count += 1
            chosen = f"{name}_{count}"
        self._given.add(chosen)
        return chosen


def _has_busy_relatives(owner: Owner) -> bool:
    """Whether a base or a subclass in another file makes layers in its traced methods."""
    index = owner.unit.index
    for name in owner.family:
        module = index.module_of(name)
        facts = index.class_facts(name)
        if module is None or facts is None or module.path == owner.unit.path:
            continue
        traced = index.traced(module.path)
        for method in facts.methods.values():
            if method.qualname not in traced:
                continue
            resolved = (index.resolve(module.name, call.callee, method.qualname) for call in method.calls)
            if any(found and index.kind(found) in (Kind.LAYER, Kind.MODEL) for found in resolved):
                return True
    return False


def singular(move: Move) -> str:
    """The local name it had, else its literal ``name=``, else what Keras would call it."""
    binding = move.passed.binding if move.passed else move.context.binding
    if isinstance(binding, Binding) and binding.name not in _VAGUE:
        return binding.name.lstrip("_") or binding.name
    for argument in move.makes.keywords:
        if argument.arg == "name" and isinstance(argument.value, ast.Constant):
            given = argument.value.value
            if isinstance(given, str) and given.isidentifier() and not keyword.iskeyword(given):
                return given
    return snake_case(move.qualified.rpartition(".")[2]) or "layer"
