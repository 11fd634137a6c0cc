"""What the names of one function are bound to, and where its statements stand."""

from __future__ import annotations

import ast
import enum
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from tfmigrate.syntax import FunctionNode, bound_names, names_in, own_nodes, parameters
from tfmigrate.unit import Unit
from tfmigrate.walk import walk


class From(enum.Enum):
    """How a name gets a value from an expression."""

    WHOLE = "it is the value"
    PART = "it is one of the value's parts, unpacked"
    ELEMENT = "it goes through the value's elements"
    GROWN = "it is itself, combined with the value"
    UNKNOWN = "in another way"


@dataclass(frozen=True, slots=True)
class Binding:
    """One place where a name gets a value."""

    how: From
    value: ast.expr | None
    statement: ast.stmt
    position: int = 0
    """Which part, of an unpacked value."""
    count: int = 0
    """How many parts are unpacked."""


@dataclass
class Bindings:
    """Answers for one function."""

    unit: Unit
    function: FunctionNode

    @cached_property
    def of_names(self) -> dict[str, list[Binding]]:
        found: dict[str, list[Binding]] = {}
        for node in own_nodes(self.function):
            if isinstance(node, ast.stmt):
                for name, binding in _bindings(node):
                    found.setdefault(name, []).append(binding)
        return found

    @cached_property
    def parameters(self) -> dict[str, ast.arg]:
        return {arg.arg: arg for arg in parameters(self.function)}

    @cached_property
    def locals(self) -> set[str]:
        return bound_names(own_nodes(self.function)) | set(self.parameters)

    def of(self, name: str) -> list[Binding]:
        return self.of_names.get(name, [])

    def only(self, name: str) -> ast.expr | None:
        """The value of a name that is bound once, and is no parameter."""
        bindings = self.of(name)
        is_one = len(bindings) == 1 and bindings[0].how is From.WHOLE and name not in self.parameters
        return bindings[0].value if is_one else None

    def resolved(self, node: ast.expr) -> ast.expr:
        """``node``, or what the name that it is stands for."""
        value = self.only(node.id) if isinstance(node, ast.Name) else None
        return value if value is not None else node


def place_in(block: list[ast.stmt], statement: ast.stmt) -> int:
    return next(number for number, one in enumerate(block) if one is statement)


def following(unit: Unit, statement: ast.stmt) -> Iterator[ast.stmt]:
    """The statements that run after this one in its block; the end of a ``with`` ends nothing."""
    block = unit.names.block_of(statement) or [statement]
    yield from block[place_in(block, statement) + 1 :]
    parent = unit.names.parent(statement)
    if isinstance(parent, ast.With):
        yield from following(unit, parent)


def _bindings(node: ast.stmt) -> Iterator[tuple[str, Binding]]:
    match node:
        case ast.Assign():
            for target in node.targets:
                yield from _bound(target, node.value, node)
        case ast.AnnAssign() if node.value is not None:
            yield from _bound(node.target, node.value, node)
        case ast.AugAssign():
            if isinstance(node.target, ast.Name):
                yield node.target.id, Binding(From.GROWN, node.value, node)
        case ast.For():
            yield from _elements(node.target, node.iter, node)
        case ast.With():
            for item in node.items:
                if item.optional_vars is not None:
                    for name in names_in(item.optional_vars):
                        yield name, Binding(From.UNKNOWN, None, node)
        case ast.Try() | ast.Match() | ast.If() | ast.While() | ast.Expr() | ast.Return():
            pass
        case _:
            for name in bound_names([node]):
                yield name, Binding(From.UNKNOWN, None, node)
    if not isinstance(node, ast.For | ast.While | ast.If | ast.With | ast.Try | ast.FunctionDef):
        for part in walk(node):
            if isinstance(part, ast.NamedExpr):
                yield part.target.id, Binding(From.WHOLE, part.value, node)


def _bound(target: ast.expr, value: ast.expr, node: ast.stmt) -> Iterator[tuple[str, Binding]]:
    if isinstance(target, ast.Name):
        yield target.id, Binding(From.WHOLE, value, node)
    elif isinstance(target, ast.Tuple | ast.List):
        is_plain = not any(isinstance(part, ast.Starred) for part in target.elts)
        same = isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts)
        for position, part in enumerate(target.elts):
            if is_plain and same and isinstance(value, ast.Tuple | ast.List):
                yield from _bound(part, value.elts[position], node)
            elif is_plain and isinstance(part, ast.Name):
                yield part.id, Binding(From.PART, value, node, position, len(target.elts))
            else:
                for name in names_in(part):
                    yield name, Binding(From.UNKNOWN, None, node)


def _elements(target: ast.expr, value: ast.expr, node: ast.stmt) -> Iterator[tuple[str, Binding]]:
    if isinstance(target, ast.Name):
        yield target.id, Binding(From.ELEMENT, value, node)
        return
    parts = target.elts if isinstance(target, ast.Tuple | ast.List) else []
    sources: list[ast.expr | None] = [None] * len(parts)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and not value.keywords:
        if value.func.id == "zip" and len(value.args) == len(parts):
            sources = list(value.args)
        elif value.func.id == "enumerate" and len(parts) == 2 and len(value.args) == 1:
            sources = [None, value.args[0]]
    for part, source in zip(parts, sources, strict=True):
        for name in names_in(part):
            is_plain = isinstance(part, ast.Name) and source is not None
            how = From.ELEMENT if is_plain else From.UNKNOWN
            yield name, Binding(how, source if is_plain else None, node)
    if not parts:
        for name in names_in(target):
            yield name, Binding(From.UNKNOWN, None, node)
