"""The file's own name for TensorFlow; imports added and removed only where that is certainly safe."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tfmigrate.unit import Unit
from tfmigrate.walk import walk

_WANTED = "tf"


@dataclass(frozen=True, slots=True)
class TensorFlowName:
    """How to write ``tensorflow`` in a function. ``after``: the statement behind which it has to be imported first."""

    name: str
    after: ast.stmt | None = None


def tensorflow_name(unit: Unit, function: str) -> TensorFlowName | None:
    """The file's name of TensorFlow that holds inside ``function`` (a qualname); None where none is safe."""
    for name in _bound_by_imports(unit.tree.body):
        if unit.index.resolve(unit.module, name, function) == "tensorflow":
            return TensorFlowName(name)
    after = _last_import(unit.tree)
    if after is None or not _imports_tensorflow(unit.tree) or _WANTED in all_names(unit.tree):
        return None
    return TensorFlowName(_WANTED, after)


def is_imported_before(unit: Unit, name: str, statement: ast.stmt) -> bool:
    """Whether an import above ``statement``, which stands at the top of the module, binds ``name`` in any case."""
    above = [one for one in unit.tree.body if one.lineno < statement.lineno]
    return name in _bound_by_imports(one for one in above if isinstance(one, ast.Import | ast.ImportFrom))


def _bound_by_imports(statements: Iterable[ast.stmt]) -> Iterator[str]:
    for statement in statements:
        todo: list[ast.AST] = [statement]
        if isinstance(statement, ast.If | ast.Try):
            todo = list(walk(statement))
        for node in todo:
            if isinstance(node, ast.Import | ast.ImportFrom):
                yield from ((alias.asname or alias.name).partition(".")[0] for alias in node.names)


def _last_import(tree: ast.Module) -> ast.stmt | None:
    """The last of the imports that the file begins with."""
    last = None
    for statement in tree.body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            last = statement
        elif not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
            break
    return last


def _imports_tensorflow(tree: ast.Module) -> bool:
    """Whether the file cannot be imported without TensorFlow."""
    for statement in tree.body:
        if isinstance(statement, ast.Import):
            names = [alias.name for alias in statement.names]
        elif isinstance(statement, ast.ImportFrom) and not statement.level:
            names = [statement.module or ""]
        else:
            continue
        if any(name.partition(".")[0] == "tensorflow" for name in names):
            return True
    return False


def all_names(tree: ast.Module) -> set[str]:
    names: set[str] = set()
    for node in walk(tree):
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.alias):
            names.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            names.update(node.names)
    return names


def unused_imports(unit: Unit, gone: Iterable[ast.AST], modules: frozenset[str]) -> Iterator[ast.stmt]:
    """Import statements of ``modules`` alone that nothing uses once the nodes of ``gone`` are away.

    Kept: what another name might still reach (``__all__``, ``globals()``, ``import *`` elsewhere cannot be excluded for a
    package's ``__init__``), and imports with a comment.
    """
    if unit.path.endswith("__init__.py"):
        return
    away = {id(part) for node in gone for part in walk(node)}
    used = {node.id for node in walk(unit.tree) if isinstance(node, ast.Name) and id(node) not in away}
    used |= {
        node.value
        for node in walk(unit.tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier()
    }
    if used & {"globals", "locals", "eval", "exec", "vars"} or is_imported(unit):
        return
    for statement in unit.tree.body:
        names = _imported(statement, modules)
        line = unit.lines[statement.lineno - 1]
        is_alone = statement.lineno == statement.end_lineno and ";" not in line and "#" not in line
        if names and is_alone and not names & used:
            yield statement


def _imported(statement: ast.stmt, modules: frozenset[str]) -> set[str]:
    if isinstance(statement, ast.Import) and all(alias.name in modules for alias in statement.names):
        return {(alias.asname or alias.name).partition(".")[0] for alias in statement.names}
    if isinstance(statement, ast.ImportFrom) and not statement.level and statement.module in modules:
        return {alias.asname or alias.name for alias in statement.names}
    return set()


def is_imported(unit: Unit) -> bool:
    """Whether another file of the project imports this one, and could take a name from it."""
    resolver = unit.index.resolver()
    last = unit.module.rpartition(".")[2]
    for name in resolver.table.by_name:
        view = resolver.view(name) if name != unit.module else None
        if view is not None and any(last in imported.split(".") for _, imported in view.record.imports):
            return True
    return False


def gives_all_names(unit: Unit) -> bool:
    """Whether another file of the project may take all names of this one: ``from net import *``."""
    resolver = unit.index.resolver()
    last = unit.module.rpartition(".")[2]
    for name in resolver.table.by_name:
        view = resolver.view(name) if name != unit.module else None
        if view is not None and any(last in module.split(".") for _, module in view.record.stars):
            return True
    return False
