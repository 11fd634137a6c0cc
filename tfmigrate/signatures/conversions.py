"""Parameters that a function only ever makes tensors of one dtype: its callers can do that as well."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tfmigrate.signatures.expressions import Expressions
from tfmigrate.signatures.functions import GraphFunction
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

_MAKERS = {"tensorflow.convert_to_tensor": "convert_to_tensor", "tensorflow.cast": "cast"}

Place = tuple[str, str]
"""A parameter, and the key of an item of it where it is a dict; "" for the parameter itself."""


@dataclass(frozen=True, slots=True)
class Conversion:
    """``tf.<maker>(value, tf.<dtype>)``."""

    maker: str
    dtype: str

    def text(self, value: str, tensorflow: str) -> str:
        """The same conversion of another expression."""
        return f"{tensorflow}.{self.maker}({value}, {tensorflow}.{self.dtype})"


def conversions(unit: Unit, function: GraphFunction) -> Mapping[Place, Conversion]:
    """The parameters, or items of them, with which nothing else is done than this."""
    found: dict[Place, Conversion] = {}
    for arg in function.parameters:
        uses = list(_uses(unit, function, arg.arg))
        made = {
            place: {_conversion(unit, node) for other, node in uses if other == place} for place, _ in uses
        }
        is_whole = len({bool(key) for _, key in made}) == 1
        for place, kinds in made.items():
            first, *others = kinds
            if is_whole and not others and first is not None:
                found[place] = first
    return found


def _uses(unit: Unit, function: GraphFunction, name: str) -> Iterator[tuple[Place, ast.expr]]:
    """What is read of the parameter; only where it is made a tensor of its own name, if it is."""
    names = [one for one in walk(function.node) if isinstance(one, ast.Name) and one.id == name]
    stores = [one for one in names if not isinstance(one.ctx, ast.Load)]
    loads = [one for one in names if isinstance(one.ctx, ast.Load)]
    if stores:
        above = unit.names.parent(stores[0])
        in_it = [one for one in loads if any(up is above for up in unit.names.ancestors(one))]
        is_first = all(one.lineno > stores[0].lineno for one in loads if one not in in_it)
        if len(stores) > 1 or above not in function.node.body or not is_first:
            in_it = list(stores)  # Nothing is known of it.
        loads = in_it
    for one in loads:
        parent = unit.names.parent(one)
        if isinstance(parent, ast.Subscript) and parent.value is one and _key(parent):
            yield (name, _key(parent)), parent
        else:
            yield (name, ""), one


def _key(item: ast.Subscript) -> str:
    is_text = isinstance(item.slice, ast.Constant) and isinstance(item.slice.value, str)
    return item.slice.value if is_text and isinstance(item.ctx, ast.Load) else ""  # type: ignore[attr-defined]


def _conversion(unit: Unit, node: ast.expr) -> Conversion | None:
    above = unit.names.parent(node)
    while isinstance(above, ast.List):
        node, above = above, unit.names.parent(above)
    if not isinstance(above, ast.Call) or not above.args or above.args[0] is not node:
        return None
    maker = _MAKERS.get(unit.names.qualified(above.func) or "")
    asked = [keyword.value for keyword in above.keywords if keyword.arg == "dtype"] or above.args[1:2]
    dtype = Expressions(unit).dtype(asked[0]) if asked else ""
    return Conversion(maker, dtype) if maker and dtype else None
