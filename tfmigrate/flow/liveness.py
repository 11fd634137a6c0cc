"""Which names are still needed after a statement: classic liveness, backwards through the statements of one function.

A name that a nested function or lambda reads counts as needed everywhere, since that function may run at any time.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tfmigrate.syntax import FunctionNode, bound_names
from tfmigrate.walk import walk

Names = frozenset[str]
NONE: Names = frozenset()


@dataclass(slots=True)
class Liveness:
    """The result: names that are needed after, and before, each statement (by its id)."""

    after: dict[int, Names] = field(default_factory=dict)
    before: dict[int, Names] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Exits:
    """What is needed where ``break`` and ``continue`` lead to."""

    broken: Names = NONE
    continued: Names = NONE


def liveness(function: FunctionNode) -> Liveness:
    """Go through the body of ``function``."""
    found = Liveness()
    if not isinstance(function, ast.Lambda):
        _Walker(found, captured(function)).block(function.body, NONE, _Exits())
    return found


def captured(function: ast.AST) -> Names:
    """Names that functions and lambdas inside of ``function`` take from around them."""
    names: set[str] = set()
    for node in walk(function):
        if node is not function and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            names |= free_names(node)
    return frozenset(names)


def free_names(function: FunctionNode) -> set[str]:
    """Names that ``function`` reads and does not bind."""
    inside = list(walk(function))
    bound = bound_names(inside) | {node.arg for node in inside if isinstance(node, ast.arg)}
    return loaded_names(inside) - bound


def loaded_names(nodes: Iterable[ast.AST]) -> set[str]:
    """Names that are read among these nodes (``x += 1`` reads ``x``)."""
    names = set()
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    return names


@dataclass(slots=True)
class _Walker:
    found: Liveness
    captured: Names

    def block(self, statements: Sequence[ast.stmt], out: Names, exits: _Exits) -> Names:
        for statement in reversed(statements):
            self.found.after[id(statement)] = out | self.captured
            out = self.statement(statement, out, exits)
            self.found.before[id(statement)] = out | self.captured
        return out

    def statement(self, node: ast.stmt, out: Names, exits: _Exits) -> Names:
        match node:
            case ast.Return() | ast.Raise():
                return frozenset(loaded_names(walk(node)))
            case ast.Break():
                return exits.broken
            case ast.Continue():
                return exits.continued
            case ast.If():
                ways = self.block(node.body, out, exits) | self.block(node.orelse, out, exits)
                return ways | loaded_names(walk(node.test))
            case ast.For() | ast.AsyncFor():
                after = self.block(node.orelse, out, exits) if node.orelse else out
                return self.loop(node.body, after, out, bound_names(walk(node.target)), node.iter)
            case ast.While():
                after = self.block(node.orelse, out, exits) if node.orelse else out
                return self.loop(node.body, after, out, set(), node.test)
            case ast.With() | ast.AsyncWith():
                inside = self.block(node.body, out, exits)
                items = [item.context_expr for item in node.items]
                bound = {n for i in node.items if i.optional_vars for n in bound_names(walk(i.optional_vars))}
                return (inside - bound) | loaded_names(n for item in items for n in walk(item))
            case ast.Try() | ast.Match():
                return self.unordered(node, out, exits)
            case _:
                return (out - _assigned(node)) | loaded_names(walk(node))

    def loop(
        self, body: Sequence[ast.stmt], after: Names, broken: Names, targets: set[str], header: ast.expr
    ) -> Names:
        read = loaded_names(walk(header))
        is_while = not targets
        around = after | (read if is_while else NONE)
        while True:
            inside = self.block(body, around, _Exits(broken, around)) - targets
            if inside <= around:
                return around | read
            around |= inside

    def unordered(self, node: ast.stmt, out: Names, exits: _Exits) -> Names:
        """Any part may be left at any point: what is read anywhere is needed everywhere."""
        everything = out | loaded_names(walk(node))
        for child in ast.iter_child_nodes(node):
            blocks = [getattr(node, "body", []), getattr(node, "orelse", []), getattr(node, "finalbody", [])]
            if isinstance(child, ast.ExceptHandler | ast.match_case):
                blocks = [child.body]
            for block in blocks:
                self.block(block, everything, exits)
        return everything


def _assigned(node: ast.stmt) -> set[str]:
    """Names that the statement certainly gives a new value."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    targets = node.targets if isinstance(node, ast.Assign) else []
    if isinstance(node, ast.AnnAssign) and node.value is not None:
        targets = [node.target]
    names: set[str] = set()
    for target in targets:
        names |= {n.id for n in walk(target) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return names
