"""Calls that hand over tensors of several dtypes: who they are, and which of them can cast."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tfmigrate.codemod import AnyChange, Change
from tfmigrate.lazy import libcst as cst
from tfmigrate.signatures.conversions import Conversion, conversions
from tfmigrate.signatures.functions import GraphFunction
from tfmigrate.signatures.values import Seen, TensorOf
from tfmigrate.unit import Unit

Calls = Sequence[tuple[ast.Call, Seen]]
_MOST = 2
"""Places that are named for one dtype."""


@dataclass(frozen=True, slots=True)
class Casts:
    """What is cast at the callers, and what the calls hand over then."""

    nodes: tuple[tuple[ast.expr, Conversion], ...]
    calls: tuple[Seen, ...]


def said(calls: Sequence[Seen]) -> str:
    """``x: float32 in line 9, float64 in train.py:11``."""
    parts = []
    for name, found in _differing(calls).items():
        kinds = []
        for dtype, places in found.items():
            more = " ..." if len(places) > _MOST else ""
            kinds.append(f"{dtype} in {', '.join(places[:_MOST])}{more}")
        parts.append(f"{name}: {', '.join(kinds)}")
    return "; ".join(parts)


def casts(unit: Unit, function: GraphFunction, calls: Calls) -> Casts | None:
    """Casts that make all calls alike; None unless the function does nothing with these arguments but cast them."""
    known = conversions(unit, function)
    differing = _differing([seen for _, seen in calls])
    wanted = {name: known[name, ""] for name in differing if (name, "") in known}
    if not differing or wanted.keys() != differing.keys():
        return None
    if any(conversion.maker != "cast" for conversion in wanted.values()):
        return None
    nodes: list[tuple[ast.expr, Conversion]] = []
    after = []
    for call, seen in calls:
        given = dict(seen.given)
        for name, conversion in wanted.items():
            value, node = given.get(name), _argument(function, call, name)
            if not isinstance(value, TensorOf) or node is None:
                return None
            if value.dtype != conversion.dtype:
                nodes.append((node, conversion))
                given[name] = TensorOf(value.shape, conversion.dtype)
        after.append(replace(seen, given=tuple(given.items())))
    return Casts(tuple(nodes), tuple(after))


def cast_changes(
    unit: Unit, nodes: Sequence[tuple[ast.expr, Conversion]], tensorflow: str
) -> Iterator[AnyChange]:
    """The casts, written into the calls."""
    for node, conversion in nodes:
        old = unit.cst_expression(node)
        text = conversion.text("x", tensorflow)
        new = cst.ensure_type(cst.parse_expression(text, unit.parser_config), cst.Call)
        first = new.args[0].with_changes(value=old.deep_clone())
        yield Change(old, new.with_changes(args=[first, *new.args[1:]]))


def _differing(calls: Sequence[Seen]) -> dict[str, dict[str, list[str]]]:
    """Parameter -> dtype -> where it is handed over, for those with several."""
    found: dict[str, dict[str, list[str]]] = {}
    for call in calls:
        for name, value in call.given:
            if isinstance(value, TensorOf):
                places = found.setdefault(name, {}).setdefault(value.dtype, [])
                if call.where not in places:
                    places.append(call.where)
    return {name: dtypes for name, dtypes in found.items() if len(dtypes) > 1}


def _argument(function: GraphFunction, call: ast.Call, name: str) -> ast.expr | None:
    names = [arg.arg for arg in function.parameters]
    given = dict(zip(names, call.args, strict=False))
    given.update((one.arg, one.value) for one in call.keywords if one.arg in names)
    return given.get(name)
