"""Whether a function that is traced once sees what it would see if it were traced anew: what it reads does not change."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass, field

from tfmigrate.blocked import Blocked
from tfmigrate.signatures.expressions import Expressions
from tfmigrate.signatures.values import TensorOf
from tfmigrate.syntax import FunctionNode, bound_names
from tfmigrate.tables import STATE_CONSTRUCTORS, STATE_MODULES
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

_ANEW = (
    *("builtins.print", "builtins.input", "builtins.open"),
    *("random.", "numpy.random.", "time.", "datetime.", "logging."),
)
"""What runs whenever a function is traced, and would not any more."""
_LASTING = ("tensorflow.", "keras.", "math.", "numpy.")


def own_names(code: ast.AST) -> set[str]:
    """Parameters and locals."""
    arguments = {one.arg for one in ast.walk(code) if isinstance(one, ast.arg)}
    body = code.body if isinstance(code, ast.FunctionDef) else []
    return arguments | bound_names(part for one in body for part in ast.walk(one))


def free_names(code: FunctionNode) -> set[str]:
    """What a function reads of its surroundings, its decorators included."""
    read = {one.id for one in ast.walk(code) if isinstance(one, ast.Name)}
    return {name for name in read - own_names(code) if not hasattr(builtins, name)}


def runs_when_traced(unit: Unit, code: ast.AST) -> Blocked | None:
    """Something that only happens while the function is traced."""
    for node in ast.walk(code):
        name = unit.names.qualified(node.func) if isinstance(node, ast.Call) else None
        if name is not None and (name.startswith(_ANEW) or makes_state(name)):
            return Blocked("runs-when-traced", ast.unparse(node))
        if isinstance(node, ast.Global | ast.Nonlocal):
            return Blocked("runs-when-traced", ast.unparse(node))
    return None


def makes_state(name: str) -> bool:
    """Whether calling ``name`` makes variables."""
    return name in STATE_CONSTRUCTORS or name.startswith((*STATE_MODULES, "keras.layers.", "keras.models."))


@dataclass(slots=True)
class Settled:
    """Looks at the names of one module."""

    unit: Unit
    _seen: set[str] = field(default_factory=set)

    def unsettled(self, names: set[str]) -> Iterator[str]:
        """Those that may be something else later. Functions of this file are followed."""
        for name in sorted(names - self._seen):
            self._seen.add(name)
            statement = self._bound_by(name)
            if statement is None:
                yield name
            elif isinstance(statement, ast.FunctionDef):
                yield from self.unsettled(free_names(statement))

    def _bound_by(self, name: str) -> ast.stmt | None:
        """The one statement at the top of the module that binds ``name`` to what does not change."""
        found = [
            statement for statement in self.unit.tree.body if name in bound_names(_without_bodies(statement))
        ]
        declared = any(isinstance(node, ast.Global) and name in node.names for node in walk(self.unit.tree))
        if len(found) != 1 or declared:
            return None
        statement = found[0]
        if isinstance(statement, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef):
            return statement
        is_plain = isinstance(statement, ast.Assign) and self._lasts(statement.value)
        return statement if is_plain and not self._is_written_into(name) else None

    def _lasts(self, value: ast.expr) -> bool:
        if isinstance(value, ast.Call):
            return (self.unit.names.qualified(value.func) or "").startswith(_LASTING)
        try:
            return isinstance(ast.literal_eval(value), int | float | str | tuple | None)
        except ValueError:
            return False

    def _is_written_into(self, name: str) -> bool:
        """``NAME.attribute = ...``, ``NAME[...] = ...``."""
        return any(
            isinstance(node, ast.Attribute | ast.Subscript)
            and not isinstance(node.ctx, ast.Load)
            and isinstance(node.value, ast.Name)
            and node.value.id == name
            for node in walk(self.unit.tree)
        )


def is_tensor(unit: Unit, function: FunctionNode, name: str) -> bool:
    """Whether a parameter or local of ``function`` is bound once, and certainly to a tensor."""
    stores = [
        node
        for node in walk(function)
        if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)
    ]
    arguments = [arg for arg in ast.walk(function.args) if isinstance(arg, ast.arg) and arg.arg == name]
    if arguments:
        (argument,) = arguments[:1]
        annotated = unit.names.qualified(argument.annotation) if argument.annotation is not None else None
        return not stores and annotated == "tensorflow.Tensor"
    parent = unit.names.parent(stores[0]) if len(stores) == 1 else None
    if not isinstance(parent, ast.Assign) or parent.targets != stores:
        return False
    made = unit.names.qualified(parent.value.func) if isinstance(parent.value, ast.Call) else None
    return made in _MAKE_TENSORS or isinstance(Expressions(unit).value(parent.value), TensorOf)


_MAKE_TENSORS = frozenset(
    f"tensorflow.{name}"
    for name in (
        "constant",
        "convert_to_tensor",
        "cast",
        "zeros",
        "ones",
        "fill",
        "random.normal",
        "random.uniform",
    )
)


def _without_bodies(statement: ast.stmt) -> Iterator[ast.AST]:
    """The nodes of a statement at the top of a module, without those inside of functions and classes."""
    todo: list[ast.AST] = [statement]
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            todo.extend(ast.iter_child_nodes(node))
