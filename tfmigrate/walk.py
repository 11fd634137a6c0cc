"""Quick ways through syntax trees that never change: ``ast.walk`` is most of what a codemod costs.

All nodes come in the order of ``ast.walk``, but for contexts (``ast.Load`` and the like), which all trees share.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

_NO_NODES = frozenset(
    [
        "arg",
        "asname",
        "attr",
        "conversion",
        "ctx",
        "id",
        "is_async",
        "kind",
        "kwd_attrs",
        "level",
        "module",
        "rest",
        "simple",
        "type_comment",
    ]
)
"""Fields that never hold a node to be seen."""
_FIELDS: Mapping[type, tuple[str, ...]] = {
    kind: (
        ()
        if kind in (ast.Constant, ast.Global, ast.Nonlocal)
        else tuple(name for name in kind._fields if name not in _NO_NODES)
    )
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.AST)
}
_SCOPES = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes directly below."""
    found: list[ast.AST] = []
    for name in _FIELDS[type(node)]:
        value = getattr(node, name, None)
        if isinstance(value, ast.AST):
            found.append(value)
        elif type(value) is list:
            found += [item for item in value if isinstance(item, ast.AST)]
    return found


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """The node and all below it."""
    yield node
    yield from below(node)


def below(node: ast.AST) -> list[ast.AST]:
    """All nodes below. Kept with modules, classes and functions, for as long as these live; not to be changed."""
    if not isinstance(node, _SCOPES):
        return _below(node)
    found: list[ast.AST] | None = node.__dict__.get("_below")
    if found is None:
        found = node.__dict__["_below"] = _below(node)
    return found


def _below(node: ast.AST) -> list[ast.AST]:
    found = children(node)
    for one in found:  # It grows while it is gone through.
        if _FIELDS[type(one)]:
            found += children(one)
    return found


def blocks(holder: ast.AST | None) -> Iterator[list[ast.stmt]]:
    """The lists of statements of a compound statement; those of handlers and cases are these's own."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(holder, name, None)
        if isinstance(block, list):
            yield block


def own(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> list[ast.AST]:
    """Every node that runs when ``function`` runs; kept with it. The last statement comes first."""
    found: list[ast.AST] | None = function.__dict__.get("_own")
    if found is None:
        found = function.__dict__["_own"] = _own(function)
    return found


def _own(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> list[ast.AST]:
    todo: list[ast.AST] = [function.body] if isinstance(function, ast.Lambda) else list(function.body)
    found: list[ast.AST] = []
    while todo:
        node = todo.pop()
        found.append(node)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            todo += node.args.defaults
            todo += filter(None, node.args.kw_defaults)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            todo += node.decorator_list
        elif not isinstance(node, ast.Lambda) and _FIELDS[type(node)]:
            todo += children(node)
    return found
