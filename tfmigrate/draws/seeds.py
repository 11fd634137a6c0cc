"""What a file needs once its draws are TensorFlow's: the import, the seed beside Python's, imports that nothing uses."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from tfmigrate.codemod import Change, Insertion
from tfmigrate.draws.entries import Entries
from tfmigrate.imports import tensorflow_name, unused_imports
from tfmigrate.lazy import libcst as cst
from tfmigrate.unit import Unit

_SEEDS = frozenset(("random.seed", "numpy.random.seed"))
_DRAWERS = frozenset(("random", "numpy", "numpy.random"))


def module_changes(unit: Unit, gone: Sequence[ast.AST], entries: Entries) -> Iterator[Change | Insertion]:
    """Changes at the top of the module that go along with the first edit."""
    name = tensorflow_name(unit, "")
    removed = list(unused_imports(unit, gone, _DRAWERS))
    if name is None:
        return
    if name.after is not None:
        new = cst.parse_module("import tensorflow as tf\n", unit.parser_config).body
        yield Insertion(unit.cst_statement(name.after), tuple(new), after=True)
    for statement in removed:
        if statement is not name.after:
            yield Change(unit.cst_statement(statement), None)
    seeds = [statement for statement in unit.tree.body if _is_seed(unit, statement)]
    if seeds and not _sets_seed(unit):
        last = seeds[-1]
        assert isinstance(last, ast.Expr) and isinstance(last.value, ast.Call)
        seed = ast.unparse(last.value.args[0])
        new = cst.parse_module(f"{name.name}.random.set_seed({seed})\n", unit.parser_config).body
        yield Insertion(unit.cst_statement(last), tuple(new), after=True)


def _is_seed(unit: Unit, statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    call = statement.value
    is_plain = len(call.args) == 1 and not call.keywords and isinstance(call.args[0], ast.Constant | ast.Name)
    return is_plain and unit.names.qualified(call.func) in _SEEDS


def _sets_seed(unit: Unit) -> bool:
    names = ("tensorflow.random.set_seed", "keras.utils.set_random_seed")
    return any(
        isinstance(node, ast.Call) and unit.names.qualified(node.func) in names for node in ast.walk(unit.tree)
    )
