"""Does code change what a name holds without assigning the name? ``sizes.append(3)``, ``kw["a"] = 3``, ``fill(sizes)``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfmigrate import tables
from tfmigrate.syntax import FunctionNode, bound_names
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

_MADE_HERE = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
_CONTAINERS = frozenset({"builtins.list", "builtins.dict", "builtins.set", "copy.copy", "copy.deepcopy"})


def is_changed_in_place(unit: Unit, function: FunctionNode, name: str, value: ast.expr) -> bool:
    """Whether ``function`` may change the ``value`` that its local ``name`` holds."""
    is_container = isinstance(value, _MADE_HERE) or (
        isinstance(value, ast.Call) and unit.names.qualified(value.func) in _CONTAINERS
    )
    return any(
        changes_held(unit, use) or (is_container and _is_handed_on(unit, use))
        for use in _uses(function, name)
    )


def is_global_changed(unit: Unit, name: str) -> bool:
    """Whether a function of the module changes in place what the module's ``name`` holds."""
    imported = (node for node in ast.walk(unit.tree) if isinstance(node, ast.Import | ast.ImportFrom))
    if name in bound_names(imported):
        return False  # `layers.add(...)` calls a function of a module.
    return any(
        changes_held(unit, use)
        for use in _uses(unit.tree, name)
        if unit.names.enclosing_function(use) is not None
    )


def _uses(root: ast.AST, name: str) -> Iterator[ast.Name]:
    for node in walk(root):
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
            yield node


def changes_held(unit: Unit, use: ast.expr) -> bool:
    """Whether the object that ``use`` reads, or a part of it, is changed by what stands around it."""
    node: ast.AST = use
    parent = unit.names.parent(node)
    while isinstance(parent, ast.Attribute | ast.Subscript) and parent.value is node:
        if not isinstance(parent.ctx, ast.Load):
            return True
        above = unit.names.parent(parent)
        if isinstance(parent, ast.Attribute) and parent.attr in tables.MUTATORS:
            return isinstance(above, ast.Call) and above.func is parent
        node, parent = parent, above
    return False


def _is_handed_on(unit: Unit, use: ast.Name) -> bool:
    """Whether the whole container goes where it may be changed: to unknown code, or under another name."""
    if isinstance(unit.names.parent(use), ast.Assign | ast.AnnAssign | ast.NamedExpr):
        return True
    callee = taker_of(unit, use)
    return callee is not None and not callee.startswith(
        ("builtins.", "tensorflow.", "keras.", "numpy.", "math.")
    )


def taker_of(unit: Unit, use: ast.Name) -> str | None:
    """Canonical name (or "") of what is called with the whole of ``use`` itself; None where that is not so."""
    parent = unit.names.parent(use)
    if isinstance(parent, ast.keyword):
        if parent.arg is None:  # **kwargs are copied
            return None
        parent = unit.names.parent(parent)
    if not isinstance(parent, ast.Call) or use is parent.func:
        return None
    return unit.names.qualified(parent.func) or ""
