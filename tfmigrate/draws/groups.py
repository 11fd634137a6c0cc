"""Draws by the outermost traced function around them: what is decided, and edited, together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tfmigrate.draws.sources import Draw, Where, draws_in
from tfmigrate.syntax import FunctionNode
from tfmigrate.unit import Unit


@dataclass(frozen=True, slots=True)
class Group:
    """All draws of one traced function, nested functions included."""

    symbol: str
    function: FunctionNode
    draws: tuple[Draw, ...]


def groups(unit: Unit) -> Iterator[Group]:
    """The groups in the order of the file. A generator made from a seed inside the function is a constant by design."""
    found: dict[str, list[Draw]] = {}
    for symbol in unit.traced:
        function = unit.functions.get(symbol)
        if function is None:
            continue
        for draw in draws_in(unit, symbol, function):
            holder = draw.holder
            if holder is not None and holder.where is Where.LOCAL and holder.seed is not None:
                continue
            outermost = unit.names.qualname(unit.outermost_traced(function))
            found.setdefault(outermost, []).append(draw)
    made = [Group(symbol, unit.functions[symbol], _sorted(draws)) for symbol, draws in found.items()]
    yield from sorted(made, key=lambda group: (group.function.lineno, group.function.col_offset))


def _sorted(draws: list[Draw]) -> tuple[Draw, ...]:
    return tuple(sorted(draws, key=lambda draw: (draw.call.lineno, draw.call.col_offset)))
