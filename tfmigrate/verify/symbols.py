"""Which classes and functions differ between two versions of a file. Pure, with ``ast``.

Docstrings, comments and layout do not count. What mentions something that differs, such as a constant or a
helper, counts too.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

Definition: TypeAlias = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Differing:
    """Qualified names in the module of the definitions that have to be run."""

    both: frozenset[str]
    """They exist in both versions."""
    new: frozenset[str]
    """There is nothing to compare them with."""
    gone: frozenset[str]


def differing(before: bytes, after: bytes) -> Differing:
    """Compare two versions of a module.

    Raises:
        SyntaxError: a version does not parse.
        ValueError: a version holds null bytes.
    """
    old, new = _Module(before), _Module(after)
    shared = old.definitions.keys() & new.definitions.keys()
    changed = {name for name in shared if old.definitions[name] != new.definitions[name]}
    both = changed | _mentioning(new, shared - changed, {*changed, *_changed_names(old, new)})
    return Differing(
        frozenset(both),
        frozenset(new.definitions.keys() - old.definitions.keys()),
        frozenset(old.definitions.keys() - new.definitions.keys()),
    )


class _Module:
    def __init__(self, source: bytes) -> None:
        tree = ast.parse(source)
        self.definitions: dict[str, str] = {}
        self.names: dict[str, frozenset[str]] = {}
        self.statements: dict[str, frozenset[str]] = {}
        for node in _top_level(tree.body):
            if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                plain = _without_docstrings(node)
                # Of several definitions of one name (try/except, overloads) all count.
                self.definitions[node.name] = self.definitions.get(node.name, "") + ast.dump(plain)
                self.names[node.name] = self.names.get(node.name, frozenset()) | frozenset(_mentioned(plain))
            else:
                self.statements[ast.dump(node)] = frozenset(_bound(node))


def _top_level(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements of the module, those under ``if`` and ``try`` included."""
    for node in body:
        if isinstance(node, ast.If):
            yield from _top_level(node.body)
            yield from _top_level(node.orelse)
        elif isinstance(node, ast.Try):
            for part in (node.body, node.orelse, node.finalbody, *(h.body for h in node.handlers)):
                yield from _top_level(part)
        elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            yield node


def _without_docstrings(node: Definition) -> Definition:
    plain = copy.deepcopy(node)
    for part in ast.walk(plain):
        if isinstance(part, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and ast.get_docstring(
            part, False
        ):
            part.body = part.body[1:] or [ast.Pass()]
    return plain


def _mentioned(node: ast.AST) -> Iterator[str]:
    return (part.id for part in ast.walk(node) if isinstance(part, ast.Name))


def _bound(node: ast.stmt) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            yield part.id
        elif isinstance(part, ast.alias):
            yield part.asname or part.name.partition(".")[0]


def _changed_names(old: _Module, new: _Module) -> Iterator[str]:
    for statement in old.statements.keys() ^ new.statements.keys():
        yield from old.statements.get(statement, ()) or new.statements.get(statement, ())
    yield from old.definitions.keys() ^ new.definitions.keys()


def _mentioning(module: _Module, candidates: Iterable[str], changed: set[str]) -> set[str]:
    """Candidates that mention a changed name, directly or through each other."""
    left, found = set(candidates), set[str]()
    while more := {name for name in left if module.names[name] & changed}:
        found |= more
        left -= more
        changed = more
    return found


def written_lines(text: str | bytes, lines: frozenset[int], qualname: str) -> frozenset[int]:
    """Those of ``lines`` (from 1) that lie in a function of the definition ``qualname`` and can run.

    If the definition holds none, those of the whole module: it was rewritten through something else. Lines of
    ``__init__`` and ``build`` count only where there are no others: that a layer is made says nothing of its use.
    """
    tree = ast.parse(text)
    holder = _definition(tree, qualname)
    for node in (holder, tree):
        if node is None:
            continue
        if found := (frozenset(_running(node, making=False)) & lines) or (frozenset(_running(node)) & lines):
            return found
    return frozenset()


def _definition(tree: ast.AST, qualname: str) -> ast.AST | None:
    node: ast.AST | None = tree
    for part in qualname.split("."):
        body = getattr(node, "body", [])
        node = next((child for child in reversed(body) if getattr(child, "name", None) == part), None)
        if node is None:
            return None
    return node


def _running(tree: ast.AST, making: bool = True) -> Iterator[int]:
    """Lines of the statements inside functions, docstrings aside; ``making``: those of ``__init__`` and ``build`` too."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            if not making and function.name in ("__init__", "build"):
                continue
            for statement in function.body:
                if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                    continue
                yield from range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
