"""Find the draws in traced code: calls of ``random`` and ``numpy.random``, and of generators that the code keeps."""

from __future__ import annotations

import ast
import enum
from collections.abc import Iterator
from dataclasses import dataclass

from tfmigrate.draws import table
from tfmigrate.draws.classes import assignments, method_of, receiver_of
from tfmigrate.draws.table import Row
from tfmigrate.syntax import FunctionNode, own_nodes, self_attribute
from tfmigrate.unit import Unit

GENERATORS = {
    "numpy.random.default_rng": "numpy.random.Generator",
    "numpy.random.RandomState": "numpy.random",
    "random.Random": "random",
}
"""What makes a generator, and whose functions its methods are."""


class Where(enum.Enum):
    """Where a generator is kept."""

    GLOBAL = "global"
    SELF = "self"
    LOCAL = "local"


@dataclass(frozen=True, slots=True)
class Holder:
    """A generator that the code keeps: where, and the call that makes it."""

    where: Where
    name: str
    made: ast.Call
    statement: ast.Assign

    @property
    def seed(self) -> ast.expr | None:
        given = [*self.made.args, *(keyword.value for keyword in self.made.keywords)]
        is_none = bool(given) and isinstance(given[0], ast.Constant) and given[0].value is None
        return given[0] if given and not is_none else None


@dataclass(frozen=True, slots=True)
class Draw:
    """One call that draws."""

    call: ast.Call
    library: str
    """``random``, ``numpy.random`` or ``numpy.random.Generator``."""
    method: str
    symbol: str
    """Qualified name of the function that holds it."""
    holder: Holder | None = None

    @property
    def row(self) -> Row | None:
        return table.row_of(self.library, self.method)

    @property
    def is_numpy(self) -> bool:
        return self.library != "random"


def draws_in(unit: Unit, symbol: str, function: FunctionNode) -> Iterator[Draw]:
    """Every draw that ``function`` itself makes, nested functions aside."""
    for call in own_nodes(function):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name | ast.Attribute):
            draw = _draw(unit, symbol, call)
            if draw is not None:
                yield draw


def _draw(unit: Unit, symbol: str, call: ast.Call) -> Draw | None:
    name = unit.names.qualified(call.func) or ""
    library, _, method = name.rpartition(".")
    if library in ("random", "numpy.random"):
        return Draw(call, library, method, symbol) if is_draw(library, method) else None
    if not isinstance(call.func, ast.Attribute):
        return None
    holder = holder_of(unit, call.func.value)
    if holder is None:
        return None
    library = GENERATORS[unit.names.qualified(holder.made.func) or ""]
    return Draw(call, library, call.func.attr, symbol, holder) if is_draw(library, call.func.attr) else None


def is_draw(library: str, method: str) -> bool:
    """Whether the function draws, or sets the state that draws come from."""
    known = table.row_of(library, method) is not None
    return known or method in table.PICKS or method in table.SEEDS or method in table.OTHERS


def holder_of(unit: Unit, receiver: ast.expr) -> Holder | None:
    """The generator that ``receiver`` (a name, an attribute of self, or a constructor's call) means, if it is seen."""
    if isinstance(receiver, ast.Name):
        return _named(unit, receiver)
    if isinstance(receiver, ast.Attribute):
        method = method_of(unit, receiver)
        attribute = self_attribute(receiver, receiver_of(method)) if method is not None else ""
        made = list(assignments(unit, receiver, attribute)) if attribute else []
        return _holder(unit, Where.SELF, attribute, [statement for _, statement in made])
    return None


def _named(unit: Unit, receiver: ast.Name) -> Holder | None:
    for function in unit.names.functions_around(receiver):
        found = _assigned(own_nodes(function), receiver.id)
        if found:
            return _holder(unit, Where.LOCAL, receiver.id, found)
        if any(arg.arg == receiver.id for arg in function.args.args):
            return None
    return _holder(unit, Where.GLOBAL, receiver.id, _assigned(iter(unit.tree.body), receiver.id))


def _assigned(nodes: Iterator[ast.AST], name: str) -> list[ast.Assign]:
    return [
        node
        for node in nodes
        if isinstance(node, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == name for target in node.targets)
    ]


def _holder(unit: Unit, where: Where, name: str, found: list[ast.Assign]) -> Holder | None:
    if len(found) != 1 or len(found[0].targets) != 1:
        return None
    made = found[0].value
    is_generator = isinstance(made, ast.Call) and unit.names.qualified(made.func) in GENERATORS
    return Holder(where, name, made, found[0]) if is_generator and isinstance(made, ast.Call) else None
