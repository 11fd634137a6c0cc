"""Lists that a function makes, lets grow and uses."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from tfmigrate.arrays.bindings import Bindings, following
from tfmigrate.blocked import Blocked
from tfmigrate.syntax import bound_names, dotted, own_nodes, parameters
from tfmigrate.unit import Unit
from tfmigrate.walk import walk


@dataclass(frozen=True, slots=True)
class Growth:
    """One statement that adds to a list."""

    statement: ast.stmt
    values: tuple[ast.expr, ...]
    """None of them where a function is called that adds to the list."""
    at_front: bool = False


@dataclass(frozen=True, slots=True)
class Grown:
    """A list, from the statement that makes it to the last that knows it as a list."""

    key: str
    """How the code names it: ``xs`` or ``self.xs``."""
    creation: ast.stmt
    seeds: tuple[ast.expr, ...]
    growths: tuple[Growth, ...]
    uses: tuple[ast.expr, ...]
    """Where it is read, but to grow it; the last perhaps in the statement that gives the name another value."""
    life: tuple[ast.stmt, ...]
    """The statements after ``creation``, as far as the name is that list's."""
    blocked: Blocked | None = None

    @property
    def name(self) -> str:
        holder, _, name = self.key.rpartition(".")
        return name.strip("_") if holder else name


def growth_of(statement: ast.stmt) -> tuple[str, Growth] | None:
    """What list the statement adds to, and what."""
    match statement:
        case ast.Expr(
            ast.Call(func=ast.Attribute(value=base, attr="append"), args=[value], keywords=[])
        ) if not isinstance(value, ast.Starred):
            return dotted(base), Growth(statement, (value,))
        case ast.Expr(
            ast.Call(
                func=ast.Attribute(value=base, attr="insert"), args=[ast.Constant(0), value], keywords=[]
            )
        ):
            return dotted(base), Growth(statement, (value,), True)
        case ast.Expr(ast.Call(func=ast.Attribute(value=base, attr="extend"), args=[more], keywords=[])):
            return _grown(dotted(base), statement, more)
        case ast.AugAssign(target=base, op=ast.Add(), value=more):
            return _grown(dotted(base), statement, more)
        case ast.Assign(targets=[base], value=ast.BinOp(left=left, op=ast.Add(), right=right)):
            key = dotted(base)
            if key and dotted(left) == key:
                return _grown(key, statement, right)
            if key and dotted(right) == key:
                return _grown(key, statement, left, True)
    return None


def _grown(
    key: str, statement: ast.stmt, more: ast.expr, at_front: bool = False
) -> tuple[str, Growth] | None:
    if not isinstance(more, ast.List | ast.Tuple) or not key:
        return None
    if any(isinstance(value, ast.Starred) for value in more.elts):
        return None
    return key, Growth(statement, tuple(more.elts), at_front)


def made_by(unit: Unit, statement: ast.stmt) -> dict[str, tuple[ast.expr, ...]]:
    """The lists that a statement makes: key -> the elements that they start with."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target, value = statement.targets[0], statement.value
    elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
        target, value = statement.target, statement.value
    else:
        return {}
    pairs = [(target, value)]
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        pairs = list(zip(target.elts, value.elts, strict=True))
    found = {}
    for part, made in pairs:
        elements = _elements(unit, made)
        if elements is not None and dotted(part):
            found[dotted(part)] = elements
    return found


def _elements(unit: Unit, value: ast.expr) -> tuple[ast.expr, ...] | None:
    if isinstance(value, ast.List | ast.Tuple):
        is_plain = not any(isinstance(element, ast.Starred) for element in value.elts)
        return tuple(value.elts) if is_plain else None
    if isinstance(value, ast.Call) and not value.args and not value.keywords:
        is_empty = unit.names.qualified(value.func) in ("builtins.list", "builtins.tuple")
        return () if is_empty else None
    return None


@dataclass(frozen=True, slots=True)
class Lists:
    """Finds the lists of one function."""

    unit: Unit
    bindings: Bindings

    def growths(self) -> dict[str, list[Growth]]:
        """All statements of the function that add to something, by what they add to."""
        found: dict[str, list[Growth]] = {}
        for node in own_nodes(self.bindings.function):
            grown = growth_of(node) if isinstance(node, ast.stmt) else None
            if grown is not None and grown[0].count(".") <= 1 and grown[0]:
                found.setdefault(grown[0], []).append(grown[1])
        return {key: sorted(growths, key=_line) for key, growths in found.items()}

    def creations(self, key: str) -> list[ast.stmt]:
        statements = [
            node
            for node in own_nodes(self.bindings.function)
            if isinstance(node, ast.stmt) and key in made_by(self.unit, node)
        ]
        return sorted(statements, key=lambda statement: statement.lineno)

    def find(self, key: str, growths: list[Growth]) -> list[Grown]:
        """The lists that go by ``key``; none where something else makes it."""
        creations = self.creations(key)
        occurrences = list(self.occurrences(key))
        own = {id(node) for node in own_nodes(self.bindings.function)}
        occurrences = [node for node in occurrences if id(node) in own or not self.is_of_inner(node, key)]
        is_closed_over = any(id(node) not in own for node in occurrences)
        lives = {id(creation): self.life(creation, key) for creation in creations}
        everywhere = {
            id(part) for life, _ in lives.values() for statement in life for part in walk(statement)
        }
        others = [n for n in occurrences if id(n) not in everywhere and _is_read(n)]
        found: list[Grown] = []
        for creation in creations:
            life, ending = lives[id(creation)]
            inside = {id(part) for statement in life for part in walk(statement)}
            mine = [growth for growth in growths if id(growth.statement) in inside]
            grown = {id(part) for growth in mine for part in _grown_nodes(growth, key)}
            uses, blocked = [], None
            for node in occurrences:
                if id(node) not in inside or id(node) in grown:
                    continue
                if _is_read(node):
                    uses.append(node)
                elif self.unit.names.statement_of(node) is not ending:
                    blocked = Blocked("bound-again", key)
            if is_closed_over or self.is_shared(key):
                blocked = Blocked("in-nested-function", key)
            seeds = made_by(self.unit, creation)[key]
            uses.sort(key=lambda node: (node.lineno, node.col_offset))
            outlives = ending is None and any(
                id(node) not in inside and id(node) in own and node.lineno > creation.lineno
                for node in others
            )
            if outlives and blocked is None:
                blocked = Blocked("outlives-its-block", key)
            found.append(Grown(key, creation, seeds, tuple(mine), tuple(uses), life, blocked))
        return [one for one in found if one.growths]

    def life(self, creation: ast.stmt, key: str) -> tuple[tuple[ast.stmt, ...], ast.stmt | None]:
        """The statements in which the name is the list's, and the one that gives it another value."""
        statements: list[ast.stmt] = []
        for statement in following(self.unit, creation):
            statements.append(statement)
            if _binds(statement, key):
                return tuple(statements), statement
        return tuple(statements), None

    def is_shared(self, key: str) -> bool:
        """Whether the name is a global one, or a function's around."""
        declared = [
            name
            for node in own_nodes(self.bindings.function)
            if isinstance(node, ast.Global | ast.Nonlocal)
            for name in node.names
        ]
        return key in declared

    def is_of_inner(self, node: ast.expr, key: str) -> bool:
        """Whether the name is an inner function's own."""
        for inner in self.unit.names.functions_around(node):
            if inner is self.bindings.function:
                return False
            names = {arg.arg for arg in parameters(inner)} | bound_names(own_nodes(inner))
            if key.partition(".")[0] in names:
                return True
        return False

    def occurrences(self, key: str) -> Iterator[ast.expr]:
        yield from _key_nodes(self.bindings.function, key)


def _binds(statement: ast.stmt, key: str) -> bool:
    grown = growth_of(statement)
    if grown is not None and grown[0] == key:
        return False
    targets: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        targets = [
            part
            for target in statement.targets
            for part in (target.elts if isinstance(target, ast.Tuple | ast.List) else [target])
        ]
    elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
        targets = [statement.target]
    return any(dotted(target) == key for target in targets)


def _key_nodes(root: ast.AST, key: str) -> Iterator[ast.expr]:
    head, _, attribute = key.partition(".")
    for node in walk(root):
        if attribute:
            if isinstance(node, ast.Attribute) and node.attr == attribute and dotted(node) == key:
                yield node
        elif isinstance(node, ast.Name) and node.id == head:
            yield node


def _grown_nodes(growth: Growth, key: str) -> list[ast.expr]:
    """The places in the statement that name the list itself, not what is added."""
    values = {id(part) for value in growth.values for part in walk(value)}
    return [node for node in _key_nodes(growth.statement, key) if id(node) not in values]


def _is_read(node: ast.expr) -> bool:
    return isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load)


def _line(growth: Growth) -> tuple[int, int]:
    return growth.statement.lineno, growth.statement.col_offset
