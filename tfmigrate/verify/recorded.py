"""Cases from a recording: which of what was seen is run again, and with which sizes. Pure, without TensorFlow.

A case is one way in which the class was constructed and the calls of instances that were made so: those whose values
were kept first, then calls that ran eagerly, then those whose sizes alone are known. Calls that raised are left out,
unless it was for state that is made in ``call``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from tfmigrate.record.fold import with_tensors
from tfmigrate.record.format import (
    FILE_NAME,
    Arguments,
    Call,
    CallMode,
    RecordedClass,
    RecordedFunction,
    Recording,
    RecordingError,
    Tensor,
    TensorKind,
    load,
)
from tfmigrate.verify.compare import is_state_error
from tfmigrate.verify.recipes import RecordedCall, RecordedRecipe

MOST_CASES = 2
"""Ways of construction that one symbol is run with."""
FEWEST_CALLS = 3
MOST_CALLS = 10
"""Calls of a recorded function that are made again."""
_MODES = (CallMode.EAGER, CallMode.FIT, CallMode.GRAPH, CallMode.SYMBOLIC)
_FREE = ((2, 3), (5, 7))
"""Two sizes for the first axis where none was seen, and two for the others."""

Row = tuple["tuple[int, ...]", ...]
"""The shapes of all tensors of one call."""


class Recordings:
    """Looks recordings up; each file is read once."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._known: dict[str, Recording | str | None] = {}

    def find(self, folders: Iterable[Path]) -> Recording | str | None:
        """The recording that was named, or the nearest one beside the code; a sentence if it cannot be read."""
        files = [folder / FILE_NAME for folder in folders] if self._file is None else [self._file]
        for file in files:
            found = self._read(file)
            if found is not None:
                return found
        return None

    def _read(self, file: Path) -> Recording | str | None:
        key = str(file)
        if key not in self._known:
            self._known[key] = self._load(file) if self._file is not None or file.is_file() else None
        return self._known[key]

    def _load(self, file: Path) -> Recording | str:
        try:
            return load(file)
        except RecordingError as error:
            return str(error)


def recorded_cases(
    recording: Recording, name: str, path: str
) -> tuple[tuple[tuple[str, RecordedRecipe], ...], tuple[str, ...]]:
    """Origins and recipes for the symbol ``name`` (``pkg.net:Net``) of the file ``path``; and what cannot be used.

    A class of a script is recorded under the script's name, so the file decides where names differ.
    """
    known: tuple[RecordedClass | RecordedFunction, ...] = (*recording.classes, *recording.functions)
    entries = [entry for entry in known if entry.name == name or _is_at(recording, entry, name, path)]
    found: list[tuple[str, RecordedRecipe]] = []
    reasons: dict[str, None] = {}
    for entry in sorted(entries, key=_order):
        recipe = _recipe(recording, entry)
        if isinstance(recipe, str):
            reasons[recipe] = None
        elif len(found) < MOST_CASES and recipe not in (other for _, other in found):
            found.append((_origin(entry), recipe))
    problems = tuple(f"{name} was recorded, but {reason}" for reason in reasons) if not found else ()
    return tuple(found), problems


def _is_at(recording: Recording, entry: RecordedClass | RecordedFunction, name: str, path: str) -> bool:
    same = entry.name.partition(":")[2] == name.partition(":")[2]
    return same and os.path.realpath(os.path.join(recording.folder, entry.file)) == os.path.realpath(path)


def _origin(entry: RecordedClass | RecordedFunction) -> str:
    best = _usable(entry)[0]
    where = f" from {best.caller[0]}:{best.caller[1]}" if best.caller else ""
    kind = "recorded values" if best.sample else "recorded call"
    return f"{kind}{where}"


def _order(entry: RecordedClass | RecordedFunction) -> tuple[bool, bool, int]:
    calls = _usable(entry)
    best = calls[0] if calls else None
    is_odd = isinstance(entry, RecordedClass) and (entry.constructor.from_config or entry.is_nested)
    return (
        best is None or best.sample is None,
        is_odd,
        _MODES.index(best.mode) if best else len(_MODES),
    )


def _usable(entry: RecordedClass | RecordedFunction) -> list[Call]:
    """Calls that can be made again, the most faithful first.

    Calls in which Keras 3 refused new layers or weights are what a rewrite is to mend.
    """
    calls = [call for call in entry.calls if not call.raised or is_state_error(call.raised)]
    calls = [call for call in calls if not call.arguments.is_opaque]
    return sorted(calls, key=lambda call: (bool(call.raised), call.sample is None, _MODES.index(call.mode)))


def _recipe(recording: Recording, entry: RecordedClass | RecordedFunction) -> RecordedRecipe | str:
    """How it is made and called again, or why it cannot be."""
    constructor = entry.constructor if isinstance(entry, RecordedClass) else entry.owner
    if constructor is not None and constructor.arguments.is_opaque:
        return "its constructor was given something that cannot be made again; write a case"
    calls = _usable(entry)
    if not calls:
        return "no call of it that could be made again returned; write a case"
    returned = [call for call in entry.calls if call in calls and not call.raised]
    is_stream = isinstance(entry, RecordedFunction) and bool(returned)
    made = tuple(_stream(recording, returned) if is_stream else _calls(recording, calls))
    return RecordedRecipe(None if constructor is None else constructor.arguments, made)


def _calls(recording: Recording, calls: list[Call]) -> Iterator[RecordedCall]:
    """At least three calls that one instance can take in turn: with the best one's values, or with its sizes."""
    best = calls[0]
    if best.sample is not None:
        sampled = RecordedCall(best.arguments, os.path.join(recording.folder, best.sample))
        for _ in range(FEWEST_CALLS):
            yield sampled
        return
    rows = _rows(best)
    for number in range(max(FEWEST_CALLS, len(rows))):
        yield RecordedCall(_sized(best.arguments, rows[number % len(rows)]))


def _stream(recording: Recording, returned: list[Call]) -> Iterator[RecordedCall]:
    """The calls of a ``tf.function`` in the order in which they were seen: what has it traced again is among them."""
    rows = [(call, row) for call in returned for row in ([None] if call.sample is not None else _rows(call))]
    shown = _spread(rows, MOST_CALLS)
    for number in range(max(FEWEST_CALLS, len(shown))):
        call, row = shown[number % len(shown)]
        if row is None:
            assert call.sample is not None
            yield RecordedCall(call.arguments, os.path.join(recording.folder, call.sample))
        else:
            yield RecordedCall(_sized(call.arguments, row))


def _spread(rows: list[tuple[Call, Row | None]], most: int) -> list[tuple[Call, Row | None]]:
    """At most so many of them, evenly from first to last."""
    if len(rows) <= most:
        return rows
    return [rows[number * (len(rows) - 1) // (most - 1)] for number in range(most)]


def _rows(call: Call) -> list[Row]:
    """Sizes for calls of one instance: rows that differ from the first in what weights do not depend on."""
    tensors = call.arguments.tensors()
    seen = zip(*(tensor.seen for tensor in tensors), strict=False) if any(t.seen for t in tensors) else ()
    rows: list[Row] = [
        tuple(tuple(dim for dim in shape if dim is not None) for shape in row)
        for row in seen
        if all(dim is not None for shape in row for dim in shape)
    ]
    if not rows:
        rows = [_chosen(tensors, number) for number in range(2)]
    return [rows[0], *(row for row in rows[1:] if _may_follow(row, rows[0]))]


def _may_follow(row: Row, first: Row) -> bool:
    """Whether only batch sizes and lengths differ."""
    for shape, other in zip(row, first, strict=True):
        free = 2 if len(shape) > 2 else 1
        if len(shape) != len(other) or shape[free:] != other[free:]:
            return False
    return True


def _chosen(tensors: tuple[Tensor, ...], number: int) -> Row:
    """Sizes where none were seen: what shares a symbol, and all unknown first axes, are equal."""
    names: dict[str, int] = {}
    row = []
    for tensor in tensors:
        shape = []
        for axis, dim in enumerate(tensor.shape or ()):
            free = _FREE[min(axis, 1)][number]
            if isinstance(dim, int):
                shape.append(dim)
            else:
                shape.append(free if dim is None else names.setdefault(dim, free))
        row.append(tuple(shape))
    return tuple(row)


def _sized(arguments: Arguments, row: Row) -> Arguments:
    tensors = []
    for tensor, shape in zip(arguments.tensors(), row, strict=True):
        low, high = _bounds(tensor)
        tensors.append(replace(tensor, shape=shape, range=_range(low, high), seen=()))
    return with_tensors(arguments, tensors)


def _range(low: float | None, high: float | None) -> tuple[float, float] | None:
    return None if low is None or high is None else (low, high)


def _bounds(tensor: Tensor) -> tuple[float | None, float | None]:
    """Integers stay in the range that was seen; where none was, 0 and 1 are indices of nearly everything."""
    is_float = tensor.dtype.startswith(("float", "bfloat"))
    if tensor.range is None:
        return (None, None) if is_float or "int" not in tensor.dtype else (0, 1)
    low, high = tensor.range
    if is_float and low == high and tensor.kind is not TensorKind.SPARSE:
        # tf.ones((2, 3)) stands for any numbers; constant inputs would show little.
        return (low / 2, low * 1.5) if low > 0 else (low - 1.0, low + 1.0)
    return low, high
