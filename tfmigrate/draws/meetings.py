"""What a drawn value is combined with: tensors, whose types it takes on, other draws, numbers, and what is not known."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from tfmigrate.blocked import Blocked
from tfmigrate.draws.needs import Entry, Needs
from tfmigrate.draws.places import is_local, short
from tfmigrate.draws.reading import Reading
from tfmigrate.draws.sources import Draw
from tfmigrate.draws.table import Result, Row
from tfmigrate.draws.values import Kind, Value
from tfmigrate.unit import Unit
from tfmigrate.walk import walk


@dataclass(slots=True)
class Meetings:
    """Takes note of it for one draw."""

    unit: Unit
    reading: Reading
    node: ast.expr
    """The drawing call; or a choice by a draw between numbers, which ends up in the graph as well."""
    key: int
    """What marks the values that come from it."""
    row: Row
    entry: Entry
    draws: dict[int, Draw]
    """All draws of the function by the id of their call."""
    is_array: bool
    needs: Needs = field(default_factory=Needs)
    blocked: Blocked | None = None

    @property
    def is_whole(self) -> bool:
        return self.row.result is Result.INT

    def block(self, reason: str, about: ast.AST | str = "") -> None:
        if self.blocked is None:
            self.blocked = Blocked(reason, about if isinstance(about, str) else short(about))

    def type_in(self, other: ast.expr, symbol: str) -> str:
        """Code for a type: of a name in ``other`` that has it."""
        names = (part for part in walk(other) if isinstance(part, ast.Name))
        return next((f"{name.id}.dtype" for name in names if self.reading.of(name).dtype == symbol), "")

    def met_by(self, value: Value, operator: ast.operator, other: ast.AST) -> bool:
        """Take note of what an operation combines the draw with; whether that is a tensor."""
        self.needs.meets |= value.draws
        if value.is_tensor:
            if self.is_whole and isinstance(operator, ast.Div):
                self.needs.fraction = True
            self.meet(value, other)
            return True
        self.meet_unknown(value, other)
        if isinstance(operator, ast.Div) or value.dtype == "float":
            self.needs.fraction = True
        elif self.is_whole and not value.is_number and not value.draws:
            self.block("whole-or-fraction", other)
        return False

    def meet_unknown(self, value: Value, other: ast.AST) -> None:
        """Take note of a value that comes from the function's arguments, and may be a tensor."""
        if value.kind is not Kind.UNKNOWN or value.draws or not isinstance(other, ast.expr):
            return
        for part in walk(other):
            if isinstance(part, ast.Name) and is_local(self.unit, part):
                self.needs.unknown.append(short(other))
                return

    def meet(self, value: Value, place: ast.AST) -> None:
        if value.dtype:
            self.needs.dtypes.add(value.dtype)
        elif self.is_whole:
            self.block("whole-or-fraction", place)

    def elementwise(self, call: ast.Call, key: str) -> None:
        others = [argument for position, argument in enumerate(call.args) if str(position) != key]
        others += [k.value for k in call.keywords if k.arg in ("x", "y") and k.arg != key]
        operator = ast.Div() if short(call.func).endswith("divide") else ast.Mult()
        for other in others[:1]:
            self.met_by(self.reading.of(other), operator, other)
