"""Scratch variables: ``v = tf.Variable(x); v.assign_add(y)`` in traced code is a tensor that gets new values.

Making such a variable once, in ``build``, would carry one call's numbers into the next. It becomes a plain tensor, and
each assignment a Python assignment, which AutoGraph handles like any other. What is differentiated, watched, passed to
a nested function or assigned in part stays as it is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from tfmigrate.codemod import Change
from tfmigrate.hoist.blocked import Blocked
from tfmigrate.hoist.rewrite import code_of
from tfmigrate.lazy import libcst as cst
from tfmigrate.syntax import FunctionNode, dotted, own_nodes
from tfmigrate.unit import Unit

_ASSIGNMENTS = {"assign": "", "assign_add": "+", "assign_sub": "-"}
_READERS = frozenset({"read_value", "value"})
_DIFFERENTIATES = frozenset(
    [
        "gradient",
        "watch",
        "jacobian",
        "batch_jacobian",
        "minimize",
        "apply_gradients",
        "apply",
        "get_gradients",
    ]
)


@dataclass(frozen=True, slots=True)
class Scratch:
    """A local variable that can be a tensor."""

    name: str
    call: ast.Call
    function: FunctionNode
    assignments: tuple[ast.Expr, ...]
    readers: tuple[ast.Call, ...]


def is_assigned(function: FunctionNode, name: str) -> bool:
    """Whether the local variable ``name`` is given new values, in whole or in part."""
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute) and node.attr.startswith(("assign", "scatter_")):
            root: ast.expr = node.value
            while isinstance(root, ast.Subscript):
                root = root.value
            if isinstance(root, ast.Name) and root.id == name:
                return True
    return False


def scratch_of(unit: Unit, function: FunctionNode, call: ast.Call, name: str) -> Scratch | Blocked:
    """How the variable made by ``call`` and bound to ``name`` becomes a tensor, or why it stays."""
    given = {keyword.arg for keyword in call.keywords}
    if len(call.args) != 1 or given - {"dtype", "name", "trainable"}:
        return Blocked("scratch-variable", name)
    own = [node for node in own_nodes(function) if isinstance(node, ast.Name) and node.id == name]
    if len(own) != sum(isinstance(node, ast.Name) and node.id == name for node in ast.walk(function)):
        return Blocked("scratch-variable", name)
    assignments: list[ast.Expr] = []
    readers: list[ast.Call] = []
    for node in own:
        if isinstance(node.ctx, ast.Load):
            use = _use(unit, node)
            if isinstance(use, Blocked):
                return use
            if isinstance(use, ast.Expr):
                assignments.append(use)
            elif isinstance(use, ast.Call):
                readers.append(use)
    stores = sum(not isinstance(node.ctx, ast.Load) for node in own)
    if stores != 1:
        return Blocked("scratch-variable", name)
    return Scratch(name, call, function, tuple(assignments), tuple(readers))


def _use(unit: Unit, name: ast.Name) -> ast.Expr | ast.Call | Blocked | None:
    """The assignment statement or the reading call that ``name`` is the object of; None for a plain use."""
    parent = unit.names.parent(name)
    blocked = Blocked("scratch-variable", name.id)
    if isinstance(parent, ast.Attribute):
        call = unit.names.parent(parent)
        if parent.attr in _READERS and isinstance(call, ast.Call) and not call.args:
            return call
        if parent.attr in _ASSIGNMENTS and isinstance(call, ast.Call):
            statement = unit.names.parent(call)
            plain = len(call.args) == 1 and not call.keywords and isinstance(statement, ast.Expr)
            return statement if plain and isinstance(statement, ast.Expr) else blocked
        return None if parent.attr in ("dtype", "shape") else blocked
    if isinstance(parent, ast.Subscript) and _is_assigned_in_part(unit, parent):
        return blocked
    return blocked if _is_differentiated(unit, name) else None


def _is_assigned_in_part(unit: Unit, part: ast.Subscript) -> bool:
    above = unit.names.parent(part)
    return not isinstance(part.ctx, ast.Load) or (
        isinstance(above, ast.Attribute) and above.attr.startswith("assign")
    )


def _is_differentiated(unit: Unit, name: ast.Name) -> bool:
    node = unit.names.parent(name)
    while isinstance(node, ast.expr | ast.keyword):
        if isinstance(node, ast.Call) and dotted(node.func).rpartition(".")[2] in _DIFFERENTIATES:
            return True
        node = unit.names.parent(node)
    return False


def scratch_changes(unit: Unit, scratch: Scratch) -> Iterator[Change]:
    """The tensor in the variable's place, and its new values as assignments."""
    yield Change(unit.cst_expression(scratch.call), cst.parse_expression(_initial(unit, scratch.call)))
    for statement in scratch.assignments:
        assert isinstance(statement.value, ast.Call) and isinstance(statement.value.func, ast.Attribute)
        value = code_of(unit.cst_expression(statement.value.args[0]))
        operator = _ASSIGNMENTS[statement.value.func.attr]
        literal = isinstance(statement.value.args[0], ast.Constant | ast.UnaryOp | ast.List | ast.Tuple)
        if literal and not operator:
            module = dotted(scratch.call.func).rpartition(".")[0]
            value = f"{module}.constant({value}, dtype={scratch.name}.dtype)"
        if operator:
            loose = isinstance(
                statement.value.args[0], ast.BinOp | ast.IfExp | ast.BoolOp | ast.Compare | ast.Lambda
            )
            value = f"{scratch.name} {operator} " + (f"({value})" if loose else value)
        new = cst.ensure_type(cst.parse_statement(f"{scratch.name} = {value}"), cst.SimpleStatementLine)
        small = unit.cst_small(statement)
        yield Change(small, new.body[0].with_changes(semicolon=small.semicolon))
    for reader in scratch.readers:
        yield Change(unit.cst_expression(reader), cst.Name(scratch.name))


def _initial(unit: Unit, call: ast.Call) -> str:
    initial = call.args[0]
    text = code_of(unit.cst_expression(initial))
    module = dotted(call.func).rpartition(".")[0]
    dtype = next((code_of(unit.cst_expression(k.value)) for k in call.keywords if k.arg == "dtype"), "")
    if isinstance(initial, ast.Constant | ast.UnaryOp | ast.List | ast.Tuple):
        return f"{module}.constant({text}, dtype={dtype})" if dtype else f"{module}.constant({text})"
    if dtype:
        return f"{module}.cast({text}, {dtype})"
    is_tensor = isinstance(initial, ast.Call) and (unit.names.qualified(initial.func) or "").startswith(
        "tensorflow."
    )
    return text if is_tensor else f"{module}.convert_to_tensor({text})"
