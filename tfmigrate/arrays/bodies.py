"""Loop bodies as local functions: what such a body reads and leaves, and its text."""

from __future__ import annotations

import ast
import textwrap

from tfmigrate.arrays.function import Function
from tfmigrate.arrays.loops import leaves_early, skips
from tfmigrate.draws.text import Rewriting
from tfmigrate.syntax import bound_names
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

_PURE = ("tensorflow.", "builtins.", "math.", "numpy.", "keras.ops.", "keras.activations.")
_NO_PURE = (
    "tensorflow.print",
    "builtins.print",
    "tensorflow.py_function",
    "tensorflow.numpy_function",
    "numpy.random.",
)


def carried(body: list[ast.stmt]) -> set[str]:
    """Names that a turn reads before it gives them a value of its own, and that some turn gives a value."""
    bound = bound_names(part for statement in body for part in walk(statement))
    found: set[str] = set()
    _follow(body, set(), bound, found)
    return found


def _follow(block: list[ast.stmt], known: set[str], bound: set[str], found: set[str]) -> None:
    for statement in block:
        if isinstance(statement, ast.If):
            _read(statement.test, known, bound, found)
            one, other = set(known), set(known)
            _follow(statement.body, one, bound, found)
            _follow(statement.orelse, other, bound, found)
            known |= one & other
        elif isinstance(statement, ast.For):
            _read(statement.iter, known, bound, found)
            inside = known | bound_names(walk(statement.target))
            _follow(statement.body, inside, bound, found)
            _follow(statement.orelse, set(known), bound, found)
        elif isinstance(statement, ast.While):
            _read(statement.test, known, bound, found)
            _follow(statement.body, set(known), bound, found)
        elif isinstance(statement, ast.With):
            for item in statement.items:
                _read(item.context_expr, known, bound, found)
                if item.optional_vars is not None:
                    known |= bound_names(walk(item.optional_vars))
            _follow(statement.body, known, bound, found)
        elif isinstance(statement, ast.AugAssign):
            _read(statement.target, known, bound, found, is_target=True)
            _read(statement.value, known, bound, found)
        elif isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            _read(statement.value, known, bound, found)
            known |= bound_names(walk(statement))
        else:
            _read(statement, known, bound, found)
            known |= bound_names([statement])


def _read(node: ast.AST, known: set[str], bound: set[str], found: set[str], is_target: bool = False) -> None:
    for part in walk(node):
        is_read = isinstance(part, ast.Name) and (is_target or isinstance(part.ctx, ast.Load))
        if is_read and isinstance(part, ast.Name) and part.id in bound - known:
            found.add(part.id)


def is_read_outside(function: Function, loop: ast.For, names: set[str]) -> bool:
    """Whether a name that the loop binds is read elsewhere in the function."""
    inside = {id(part) for part in walk(loop)}
    return any(
        isinstance(node, ast.Name)
        and node.id in names
        and id(node) not in inside
        and isinstance(node.ctx, ast.Load)
        for node in walk(function.node)
    )


def is_pure(unit: Unit, loop: ast.For, grown: set[int]) -> bool:
    """Whether the body calls only TensorFlow's operations and plain Python, and stores nothing but in names."""
    if leaves_early(loop) or skips(loop.body) or loop.orelse:
        return False
    for statement in loop.body:
        for node in walk(statement):
            if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
                return False
            if isinstance(node, ast.FunctionDef | ast.Lambda | ast.Yield | ast.Await | ast.Try | ast.Global):
                return False
            if isinstance(node, ast.Call) and id(node) not in grown:
                name = unit.names.qualified(node.func) or ""
                if not name.startswith(_PURE) or name.startswith(_NO_PURE):
                    return False
    return True


def block_text(rewriting: Rewriting, unit: Unit, loop: ast.For, given: dict[int, str]) -> str:
    """The statements of a loop's body, dedented to the loop's own place; ``given`` are new texts of whole statements."""
    parts: list[str] = []
    last = loop.iter.end_lineno or loop.lineno
    for statement in loop.body:
        between = unit.lines[last : statement.lineno - 1]
        parts += [line.rstrip("\r\n") for line in between if line.strip().startswith("#")]
        indent = " " * statement.col_offset
        parts.append(indent + given.get(id(statement), rewriting.text(statement)))
        last = statement.end_lineno or statement.lineno
    return textwrap.dedent("\n".join(parts))
