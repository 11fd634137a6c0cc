"""Choose the dtype of each draw from what its places of use ask for."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from tfmigrate.blocked import Blocked
from tfmigrate.draws import ops
from tfmigrate.draws.outcome import One
from tfmigrate.draws.reading import Reading
from tfmigrate.draws.table import Result


def give_dtypes(ones: Mapping[int, One], reading: Reading) -> dict[int, Blocked]:
    """Set the dtypes; the draws for which there is none."""
    blocked: dict[int, Blocked] = {}
    for group in _groups(ones):
        wanted = frozenset[str]().union(*(one.needs.dtypes for one in group))
        unknown = [text for one in group for text in one.needs.unknown]
        for one in group:
            if unknown and not wanted:
                blocked[id(one.draw.call)] = Blocked("type-unknown", unknown[0])
                continue
            if one.pick is not None and one.pick.value.is_tensor:
                continue
            dtype = _dtype_of(one, wanted)
            if isinstance(dtype, Blocked):
                blocked[id(one.draw.call)] = dtype
                continue
            one.dtype = dtype
            if dtype.endswith(".dtype") and not one.dtype_text(reading):
                blocked[id(one.draw.call)] = Blocked("dtypes-differ", ast.unparse(one.draw.call))
    return blocked


def _groups(ones: Mapping[int, One]) -> Iterator[list[One]]:
    """Draws that are combined with each other get one dtype."""
    todo = dict(ones)
    while todo:
        key, one = todo.popitem()
        group, waiting = [one], [key]
        while waiting:
            here = waiting.pop()
            meets = ones[here].needs.meets
            linked = [k for k, other in todo.items() if here in other.needs.meets or k in meets]
            for other in linked:
                group.append(todo.pop(other))
                waiting.append(other)
        yield group


def _dtype_of(one: One, wanted: frozenset[str]) -> str | Blocked:
    needs, about = one.needs, ast.unparse(one.draw.call)
    concrete = {dtype for dtype in wanted if not dtype.endswith(".dtype")}
    if one.row.result is Result.FLOAT:
        if len(wanted) == 1 and (not concrete or ops.is_float(next(iter(concrete)))):
            return next(iter(wanted))
        return "float32" if concrete <= {"float32"} else Blocked("dtypes-differ", about)
    if needs.fraction and (needs.whole or concrete & ops.INTEGERS):
        return Blocked("whole-or-fraction", about)
    if len(wanted) > 1:
        return Blocked("dtypes-differ", about)
    if wanted and needs.whole and not concrete <= ops.INTEGERS:
        return Blocked("whole-or-fraction", about)
    if wanted:
        return next(iter(wanted))
    if one.pick is not None and one.pick.own == "bool" and not needs.fraction and not needs.whole:
        return "bool"
    return "float32" if needs.fraction else "int32"
