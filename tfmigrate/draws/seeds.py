"""What a file needs once its draws are TensorFlow's: the import, the seed beside Python's, imports that nothing uses."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from tfmigrate.codemod import Change, Insertion
from tfmigrate.draws.entries import Entries
from tfmigrate.imports import tensorflow_name, unused_imports
from tfmigrate.lazy import libcst as cst
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

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
    if not _sets_seed(unit):
        yield from _seeds(unit)


def _seeds(unit: Unit) -> Iterator[Insertion]:
    """``tf.random.set_seed`` behind each place, outside of traced code, that seeds Python or NumPy."""
    for holder in walk(unit.tree):
        for field in ("body", "orelse"):
            block = getattr(holder, field, None)
            statements = block if isinstance(block, list) else []
            for statement, following in zip(statements, [*statements[1:], None], strict=False):
                if not _is_seed(unit, statement) or (following is not None and _is_seed(unit, following)):
                    continue
                function = unit.names.enclosing_function(statement)
                symbol = unit.names.qualname(function) if function is not None else ""
                name = tensorflow_name(unit, symbol)
                if symbol in unit.traced or name is None:
                    continue
                seed = ast.unparse(statement.value.args[0])
                new = cst.parse_module(f"{name.name}.random.set_seed({seed})\n", unit.parser_config).body
                yield Insertion(unit.cst_statement(statement), tuple(new), after=True)


def _is_seed(unit: Unit, statement: ast.stmt) -> bool:
    """Whether the statement is ``random.seed(name)`` or ``np.random.seed(0)``."""
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    call = statement.value
    is_plain = len(call.args) == 1 and not call.keywords and _is_number(call.args[0])
    return is_plain and unit.names.qualified(call.func) in _SEEDS


def _is_number(seed: ast.expr) -> bool:
    """Whether it can be a number at all: ``random.seed`` takes strings too, and None for a new state."""
    if isinstance(seed, ast.Constant):
        return type(seed.value) is int
    return isinstance(seed, ast.Name | ast.Attribute)


def _sets_seed(unit: Unit) -> bool:
    names = ("tensorflow.random.set_seed", "keras.utils.set_random_seed")
    return any(
        isinstance(node, ast.Call) and unit.names.qualified(node.func) in names for node in walk(unit.tree)
    )
