"""Verdicts as a table: a row for each model, case and place (device, precision, Keras ...), a column for each mode."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tfmigrate.report.entries import AXES, Told, axis_word

_Data = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Row:
    """``cells``: mode -> the verdict's data. Empty where there was no case that could be run."""

    symbol: str
    status: str
    """The symbol's, over all of its rows."""
    case: str
    place: str
    cells: dict[str, _Data] = field(default_factory=dict)


class Labels:
    """Names of runs by what tells them apart: ``graph`` where all ran on one device, ``graph, GPU`` otherwise."""

    def __init__(self, told: Told) -> None:
        runs = [one for _, _, one in verdicts_of(told)]
        values = {axis: {axis_word(one, axis) for one in runs} for axis in AXES}
        self._axes = [axis for axis, found in values.items() if axis != "mode" and len(found) > 1]
        alike = (
            word for axis, found in values.items() if axis not in ("mode", *self._axes) for word in found
        )
        self.common = ", ".join(filter(None, alike))
        """What all runs have in common."""
        self.modes = tuple(dict.fromkeys(str(one["mode"]) for one in runs))

    def place(self, one: _Data) -> str:
        """All but the mode."""
        words = (axis_word(one, axis) or (axis == "precision" and one.get(axis)) or "" for axis in self._axes)
        return ", ".join(filter(None, map(str, words)))

    def of(self, one: _Data) -> str:
        """Mode and place."""
        return ", ".join(filter(None, (str(one["mode"]), self.place(one))))


def rows(told: Told, labels: Labels) -> list[Row]:
    """In the order of the verification."""
    found: dict[tuple[str, ...], Row] = {}
    for symbol in (told.verification or {"symbols": ()})["symbols"]:
        name, status = symbol["symbol"], symbol["status"]
        if not symbol["cases"]:
            found[(name,)] = Row(name, status, "", "")
        for number, case in enumerate(symbol["cases"]):
            told_as = f"{case['name'] or 'unnamed'}{' (guessed)' if case['guessed'] else ''}"
            for one in case["verdicts"]:
                place = labels.place(one)
                row = found.setdefault((name, str(number), place), Row(name, status, told_as, place))
                row.cells[one["mode"]] = one
    return list(found.values())


def verdicts_of(told: Told) -> Iterator[tuple[_Data, _Data, _Data]]:
    """Symbol, case, verdict."""
    for symbol in (told.verification or {"symbols": ()})["symbols"]:
        for case in symbol["cases"]:
            for one in case["verdicts"]:
                yield symbol, case, one
