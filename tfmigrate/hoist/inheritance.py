"""Does every subclass run a class's ``__init__``, so that what is added there is there?"""

from __future__ import annotations

import ast

from tfmigrate.blocked import Blocked
from tfmigrate.project.index import ClassFacts, FunctionFacts, Kind
from tfmigrate.syntax import dotted
from tfmigrate.unit import Unit
from tfmigrate.walk import walk


def subclasses_blocked(unit: Unit, qualified: str) -> Blocked | None:
    """Which subclass of the class ``qualified`` of this module goes past its ``__init__``."""
    for name in unit.index.subclasses(qualified):
        facts = unit.index.class_facts(name)
        init = facts.methods.get("__init__") if facts is not None else None
        if facts is not None and init is not None and not _is_reached_from(unit, qualified, facts, init):
            return Blocked("subclass-skips-init", facts.qualname)
        if unit.index.kind(qualified) is Kind.NONE and _is_behind_a_library(unit, qualified, name):
            return Blocked("mixin-init-not-run", name.rpartition(".")[2])
    return None


def is_mixed_in(unit: Unit, qualified: str) -> bool:
    """Whether other classes come behind this one and its bases in a subclass."""
    own = {*unit.index.mro(qualified), "builtins.object"}
    for name in unit.index.subclasses(qualified):
        line = unit.index.mro(name)
        if qualified in line and set(line[line.index(qualified) :]) - own:
            return True
    return False


def _is_behind_a_library(unit: Unit, qualified: str, subclass: str) -> bool:
    """A library's ``__init__`` that comes before this one does not go on to it: Keras's does not."""
    line = unit.index.mro(subclass)
    before = line[1 : line.index(qualified)] if qualified in line else ()
    return any(unit.index.class_facts(base) is None for base in before)


def _is_reached_from(unit: Unit, qualified: str, subclass: ClassFacts, init: FunctionFacts) -> bool:
    """Whether the subclass's ``__init__`` calls ``super().__init__``, or this class's or one in between by name."""
    callees = {call.callee for call in init.calls if call.callee.endswith(".__init__")}
    if any(callee.startswith("super()") for callee in callees):
        return not _skips_a_class(unit, subclass)
    line = unit.index.mro(subclass.qualified)
    between = [name for name in line[1:] if name == qualified or qualified in unit.index.mro(name)]
    named = {callee.removesuffix(".__init__").rpartition(".")[2] for callee in callees}
    return bool(named & {name.rpartition(".")[2] for name in between})


def _skips_a_class(unit: Unit, subclass: ClassFacts) -> bool:
    """``super(Base, self).__init__()`` in a subclass of ``Base`` goes past ``Base``."""
    node = unit.functions.get(f"{subclass.qualname}.__init__")
    if unit.qualified(subclass.qualname) != subclass.qualified or node is None:
        return False
    own = subclass.qualname.rpartition(".")[2]
    for part in walk(node):
        match part:
            case ast.Call(func=ast.Name(id="super"), args=[first, _]) if dotted(first):
                return dotted(first).rpartition(".")[2] != own
    return False
