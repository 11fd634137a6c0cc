"""Whom to run for a class that cannot be run itself: its subclasses, and what uses it. Answers from the index alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tfmigrate.project.keras import Kind

if TYPE_CHECKING:
    from tfmigrate.project.index import ProjectIndex

FEW = 4
"""So many are tried before giving up."""
_RUNNABLE = frozenset({Kind.LAYER, Kind.MODEL, Kind.MODULE})


def stand_ins(index: ProjectIndex, qualified: str) -> tuple[str, ...]:
    """Qualified names of project classes and functions whose run goes through ``qualified``, the nearest first."""
    found = dict.fromkeys((*_subclasses(index, qualified), *_users(index, qualified)))
    found.pop(qualified, None)
    return tuple(found)[:FEW]


def _subclasses(index: ProjectIndex, qualified: str) -> Iterator[str]:
    """Those without subclasses of their own first: they are the least abstract."""
    below = index.subclasses(qualified)
    yield from (name for name in below if not index.subclasses(name))
    yield from (name for name in below if index.subclasses(name))


def _users(index: ProjectIndex, qualified: str) -> Iterator[str]:
    """Layers and models that make an instance of the class, or call the function."""
    if index.function_facts(qualified) is not None:
        for caller in index.callers(qualified):
            facts = index.function_facts(caller.function)
            if caller.is_call and caller.is_certain and facts is not None:
                yield f"{facts.module}.{facts.owner or facts.qualname}"
        return
    last = qualified.rpartition(".")[2]
    for module in index.modules:
        facts_of = index.module_of(module)
        for owner in facts_of.classes.values() if facts_of is not None else ():
            if index.kind(owner.qualified) not in _RUNNABLE:
                continue
            for function in owner.methods.values():
                for call in function.calls:
                    if call.callee.rpartition(".")[2] == last and (
                        index.resolve(module, call.callee, function.qualname) == qualified
                    ):
                        yield owner.qualified
