"""Functions that add to a list which they are given: they return the array instead."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tfmigrate.arrays.lists import Growth, growth_of
from tfmigrate.arrays.reader import ArrayReader
from tfmigrate.blocked import Blocked
from tfmigrate.draws.reading import Reading
from tfmigrate.draws.values import Value, without_foreign
from tfmigrate.syntax import bound_names, own_nodes, parameters
from tfmigrate.unit import Unit
from tfmigrate.walk import walk


@dataclass(frozen=True, slots=True)
class Helper:
    """A plain function of the file, and which of its parameters it adds to."""

    symbol: str
    node: ast.FunctionDef
    grown: tuple[str, ...]
    growths: tuple[tuple[str, Growth], ...]
    calls: tuple[tuple[ast.Expr, Helper], ...]
    """Statements that hand lists on to other such functions."""

    @property
    def names(self) -> list[str]:
        return [arg.arg for arg in parameters(self.node)]

    def given(self, call: ast.Call) -> list[str]:
        """The lists of the caller at the places of those that grow; empty where that is not plain."""
        found = []
        for name in self.grown:
            position = self.names.index(name)
            argument = call.args[position] if position < len(call.args) else None
            if not isinstance(argument, ast.Name):
                return []
            found.append(argument.id)
        used = [part.id for part in walk(call) if isinstance(part, ast.Name)]
        return found if all(used.count(name) == 1 for name in found) else []


@dataclass(frozen=True, slots=True)
class Helpers:
    """Finds them in one file."""

    unit: Unit

    def called(self, call: ast.Call, depth: int = 0) -> Helper | None:
        """The helper that is called so, if it is one."""
        symbol = self.unit.local(self.unit.names.qualified(call.func) or "")
        node = self.unit.functions.get(symbol)
        is_plain = isinstance(node, ast.FunctionDef) and "." not in symbol and not node.decorator_list
        if not is_plain or not isinstance(node, ast.FunctionDef) or depth > 3 or call.keywords:
            return None
        return (
            self.read(symbol, node, depth) if not any(isinstance(a, ast.Starred) for a in call.args) else None
        )

    def read(self, symbol: str, node: ast.FunctionDef, depth: int) -> Helper | None:
        names = [arg.arg for arg in parameters(node)]
        growths: list[tuple[str, Growth]] = []
        calls: list[tuple[ast.Expr, Helper]] = []
        grown: set[str] = set()
        for statement in node.body:
            if not isinstance(statement, ast.Expr):
                continue
            found = growth_of(statement)
            if found is not None and found[0] in names and not found[1].at_front:
                growths.append(found)
                grown.add(found[0])
            elif isinstance(statement.value, ast.Call):
                helper = self.called(statement.value, depth + 1)
                given = helper.given(statement.value) if helper is not None else []
                if helper is not None and given and set(given) <= set(names):
                    calls.append((statement, helper))
                    grown |= set(given)
        return (
            Helper(symbol, node, tuple(n for n in names if n in grown), tuple(growths), tuple(calls))
            if grown
            else None
        )

    def growths(self, statements: Iterator[ast.AST]) -> dict[str, list[tuple[Growth, Helper]]]:
        """What is added to lists by way of helpers, by the name of the list."""
        found: dict[str, list[tuple[Growth, Helper]]] = {}
        for node in statements:
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and growth_of(node) is None:
                helper = self.called(node.value)
                for name in helper.given(node.value) if helper is not None else ():
                    assert helper is not None
                    found.setdefault(name, []).append((Growth(node, ()), helper))
        return found

    def refused(self, helper: Helper, callers: set[str]) -> Blocked | None:
        """Why the helper cannot return arrays instead; only ``callers`` may call it."""
        blocked = Blocked("unknown-list", f"{helper.symbol}({', '.join(helper.grown)})")
        node = helper.node
        is_odd = any(
            isinstance(part, ast.Return | ast.Yield | ast.YieldFrom | ast.Lambda | ast.FunctionDef)
            for part in walk(node)
            if part is not node
        )
        if is_odd or set(helper.grown) & bound_names(own_nodes(node)):
            return blocked
        mine = {id(growth.statement) for _, growth in helper.growths} | {id(call) for call, _ in helper.calls}
        for statement in node.body:
            if id(statement) not in mine and any(
                isinstance(part, ast.Name) and part.id in helper.grown for part in walk(statement)
            ):
                return blocked
        for _, growth in helper.growths:
            if any(
                isinstance(part, ast.Name) and part.id in helper.grown
                for value in growth.values
                for part in walk(value)
            ):
                return blocked
        uses = self.unit.index.callers(self.unit.qualified(helper.symbol))
        if any(not use.is_call or use.function not in callers for use in uses):
            return blocked
        return next((out for _, inner in helper.calls if (out := self.refused(inner, callers))), None)

    def reached(self, statements: Iterator[ast.AST]) -> set[str]:
        """The helpers that these statements lead to."""
        found: set[str] = set()
        todo = [helper for helped in self.growths(statements).values() for _, helper in helped]
        while todo:
            helper = todo.pop()
            found.add(helper.symbol)
            todo += [inner for _, inner in helper.calls]
        return found

    # -- what is added ---------------------------------------------------------------------------------------------

    def added(
        self, helper: Helper, name: str, call: ast.Call, reading: Reading, tensors: frozenset[int]
    ) -> Iterator[tuple[ast.expr, Value]]:
        """What a call adds to the list that is its argument ``name``, as far as the caller knows it."""
        given: Sequence[Value] = [reading.of(argument) for argument in call.args]
        reader = ArrayReader(self.unit, {}, tensors)
        reader.function(helper.node, {}, given)
        known = list(given)
        for grown, growth in helper.growths:
            if grown == name:
                for value in growth.values:
                    yield value, without_foreign(reader.reading.of(value), known)
        for statement, inner in helper.calls:
            assert isinstance(statement.value, ast.Call)
            handed = inner.given(statement.value)
            if name in handed:
                within = inner.grown[handed.index(name)]
                for added, of_it in self.added(inner, within, statement.value, reader.reading, tensors):
                    yield added, without_foreign(of_it, known)
