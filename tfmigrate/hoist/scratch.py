"""Scratch variables: ``v = tf.Variable(x); v.assign_add(y)`` in traced code is a tensor that gets new values.

Making such a variable once, in ``build``, would carry one call's numbers into the next. It becomes a plain tensor, and
each assignment a Python assignment, which AutoGraph handles like any other. ``v[:, i].assign(y)`` takes the tensor apart
along that axis, whose size has to be known when it is traced. What is differentiated, watched, passed to a nested
function or assigned in another part stays as it is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from tfmigrate import tables
from tfmigrate.blocked import Blocked
from tfmigrate.codemod import AnyChange, Change, Insertion
from tfmigrate.hoist.rewrite import code_of, parsed_statements
from tfmigrate.hoist.state import makes_state
from tfmigrate.lazy import libcst as cst
from tfmigrate.syntax import FunctionNode, bound_names, dotted, own_nodes, parameters, substituted
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

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
    """``v.assign(...)``, ``v.assign_add(...)``, ``v[:, i].assign(...)``"""
    readers: tuple[ast.Call, ...]


def is_assigned(function: FunctionNode, name: str) -> bool:
    """Whether the local variable ``name`` is given new values, in whole or in part."""
    for node in walk(function):
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
    if len(call.args) != 1 or given - {"dtype", "name", "trainable"} or "." not in dotted(call.func):
        return Blocked("scratch-variable", name)
    own = [node for node in own_nodes(function) if isinstance(node, ast.Name) and node.id == name]
    if len(own) != sum(isinstance(node, ast.Name) and node.id == name for node in walk(function)):
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
    if stores != 1 or any(_makes_state(unit, node) for node in (call, *assignments)):
        return Blocked("scratch-variable", name)
    return Scratch(name, call, function, tuple(assignments), tuple(readers))


def _makes_state(unit: Unit, node: ast.AST) -> bool:
    """Whether a new value makes a layer, which would have to move by itself."""
    arguments = node.args if isinstance(node, ast.Call) else [node]
    return any(
        isinstance(part, ast.Call) and makes_state(unit.index, unit.names.qualified(part.func) or "")
        for argument in arguments
        for part in walk(argument)
    )


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
        return _part_assignment(unit, parent) or blocked
    return blocked if _is_differentiated(unit, name) or _is_kept(unit, name) else None


def _is_kept(unit: Unit, name: ast.Name) -> bool:
    """Whether the variable itself goes where later assignments would be seen: another name, a container, unknown code."""
    node: ast.AST = name
    parent = unit.names.parent(node)
    while isinstance(
        parent, ast.Tuple | ast.List | ast.Dict | ast.Set | ast.IfExp | ast.Starred | ast.keyword
    ):
        node, parent = parent, unit.names.parent(parent)
    if isinstance(parent, ast.Call) and node is not parent.func:
        return _may_assign(unit, parent.func)
    return isinstance(parent, ast.Assign | ast.AnnAssign | ast.NamedExpr | ast.Yield)


def _may_assign(unit: Unit, callee: ast.expr) -> bool:
    """Whether what is called may keep or assign a variable that it is given: functions of this module, ``append``."""
    name = unit.names.qualified(callee) or ""
    if name.startswith(("tensorflow.", "keras.", "numpy.", "builtins.", "math.")):
        return False
    if not isinstance(callee, ast.Attribute):
        return True
    defined = {function.rpartition(".")[2] for function in unit.functions}
    return callee.attr in defined | tables.MUTATORS


def _is_assigned_in_part(unit: Unit, part: ast.Subscript) -> bool:
    above = unit.names.parent(part)
    return not isinstance(part.ctx, ast.Load) or (
        isinstance(above, ast.Attribute) and above.attr.startswith("assign")
    )


def _part_assignment(unit: Unit, part: ast.Subscript) -> ast.Expr | None:
    """The statement ``v[:, i].assign(value)``, if it sets one place of one axis behind the first."""
    attribute = unit.names.parent(part)
    call = unit.names.parent(attribute) if isinstance(attribute, ast.Attribute) else None
    statement = unit.names.parent(call) if isinstance(call, ast.Call) else None
    if not isinstance(statement, ast.Expr) or not isinstance(call, ast.Call) or _axis_of(part) is None:
        return None
    assert isinstance(attribute, ast.Attribute)
    plain = attribute.attr == "assign" and len(call.args) == 1 and not call.keywords
    plain = plain and unit.has_own_line(statement)
    return statement if plain and not isinstance(call.args[0], ast.Constant | ast.UnaryOp) else None


def _axis_of(part: ast.Subscript) -> tuple[int, ast.expr] | None:
    """The axis (1 or more) and the index in ``v[:, ..., i]``."""
    match part.slice:
        case ast.Tuple(elts=[*before, index]) if before and not isinstance(index, ast.Slice | ast.Starred):
            whole = all(isinstance(one, ast.Slice) and ast.unparse(one) == ":" for one in before)
            is_place = not (isinstance(index, ast.Constant) and not isinstance(index.value, int))
            return (len(before), index) if whole and is_place else None
    return None


def _is_differentiated(unit: Unit, name: ast.Name) -> bool:
    node = unit.names.parent(name)
    while isinstance(node, ast.expr | ast.keyword):
        if isinstance(node, ast.Call) and dotted(node.func).rpartition(".")[2] in _DIFFERENTIATES:
            return True
        node = unit.names.parent(node)
    return False


def scratch_changes(unit: Unit, scratch: Scratch) -> Iterator[AnyChange]:
    """The tensor in the variable's place, and its new values as assignments."""
    yield Change(unit.cst_expression(scratch.call), cst.parse_expression(_initial(unit, scratch.call)))
    for statement in scratch.assignments:
        assert isinstance(statement.value, ast.Call) and isinstance(statement.value.func, ast.Attribute)
        if isinstance(statement.value.func.value, ast.Subscript):
            yield from _part_changes(unit, scratch, statement, statement.value.func.value)
            continue
        value = _value(unit, scratch, statement.value.args[0])
        operator = _ASSIGNMENTS[statement.value.func.attr]
        literal = isinstance(statement.value.args[0], ast.Constant | ast.UnaryOp | ast.List | ast.Tuple)
        if literal and not operator:
            module = dotted(scratch.call.func).rpartition(".")[0]
            value = f"{module}.constant({value}, dtype={scratch.name}.dtype)"
        elif not operator and _may_be_no_tensor(unit, scratch, statement.value.args[0]):
            module = dotted(scratch.call.func).rpartition(".")[0]
            value = f"{module}.convert_to_tensor({value}, dtype={scratch.name}.dtype)"
        if operator:
            loose = isinstance(
                statement.value.args[0], ast.BinOp | ast.IfExp | ast.BoolOp | ast.Compare | ast.Lambda
            )
            value = f"{scratch.name} {operator} " + (f"({value})" if loose else value)
        new = cst.ensure_type(cst.parse_statement(f"{scratch.name} = {value}"), cst.SimpleStatementLine)
        small = unit.cst_small(statement)
        yield Change(small, new.body[0].with_changes(semicolon=small.semicolon))
    inside = {id(node) for statement in scratch.assignments for node in walk(statement)}
    for reader in scratch.readers:
        if id(reader) not in inside:
            yield Change(unit.cst_expression(reader), cst.Name(scratch.name))


def _may_be_no_tensor(unit: Unit, scratch: Scratch, value: ast.expr) -> bool:
    """A setting, a number read from a shape, an array of NumPy's: ``assign`` converts them."""
    if isinstance(value, ast.Call):
        return (unit.names.qualified(value.func) or "").startswith("numpy.")
    if isinstance(value, ast.Name):
        own = bound_names(own_nodes(scratch.function)) | {one.arg for one in parameters(scratch.function)}
        return value.id not in own
    return isinstance(value, ast.Attribute) or (
        isinstance(value, ast.Subscript) and ".shape" in ast.unparse(value)
    )


def _value(unit: Unit, scratch: Scratch, value: ast.expr) -> str:
    """The text of a new value, in which the variable is read as the tensor that it is now."""
    readers: dict[int, cst.BaseExpression] = {
        id(unit.cst_expression(node)): cst.Name(scratch.name)
        for node in walk(value)
        if isinstance(node, ast.Call) and node in scratch.readers
    }
    return code_of(substituted(unit.cst_expression(value), readers))


def _part_changes(
    unit: Unit, scratch: Scratch, statement: ast.Expr, part: ast.Subscript
) -> Iterator[AnyChange]:
    """Take the tensor apart along the axis, put the new piece in, and put it together again."""
    found = _axis_of(part)
    assert found is not None and isinstance(statement.value, ast.Call)
    axis, index = found
    module = dotted(scratch.call.func).rpartition(".")[0]
    pieces = _free_name(scratch.function, f"{scratch.name}_pieces")
    new = _value(unit, scratch, statement.value.args[0])
    text = (
        f"{pieces} = {module}.unstack({scratch.name}, axis={axis})\n"
        f"{pieces}[{code_of(unit.cst_expression(index))}] = {new}\n"
        f"{scratch.name} = {module}.stack({pieces}, axis={axis})\n"
    )
    line = unit.cst(statement, cst.SimpleStatementLine)
    statements = list(parsed_statements(unit, text))
    statements[0] = statements[0].with_changes(leading_lines=line.leading_lines)
    statements[-1] = statements[-1].with_changes(trailing_whitespace=line.trailing_whitespace)
    yield Change(line, None)
    yield Insertion(line, tuple(statements), after=True)


def _free_name(function: FunctionNode, wanted: str) -> str:
    taken = {node.id for node in walk(function) if isinstance(node, ast.Name)}
    return wanted if wanted not in taken else f"{wanted}_1"


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
