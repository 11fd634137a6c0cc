"""``SGD`` without momentum, made in a compiled step: it has no state worth keeping, so its update is written out.

A new ``SGD(rate)`` in each call updates exactly as one that is kept (measured in both flavours: the iteration counter is all
that it owns). It becomes ``variable.assign_sub(rate * gradient)``, which works for every model that the function is called
with. An optimizer with state starts afresh in each call of the original and would not, if it were kept.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from tfmigrate.codemod import AnyChange, Change
from tfmigrate.hoist.context import is_removable
from tfmigrate.hoist.operations import tensorflow_name
from tfmigrate.hoist.rewrite import code_of, parsed_statements
from tfmigrate.lazy import libcst as cst
from tfmigrate.syntax import FunctionNode, own_nodes, parameters
from tfmigrate.unit import Unit
from tfmigrate.walk import walk


@dataclass(frozen=True, slots=True)
class PlainUpdate:
    """``made`` is bound by ``statement``; each of ``steps`` is ``opt.apply_gradients(zip(gradients, variables))``."""

    made: ast.Call
    function: FunctionNode
    statement: ast.Assign
    steps: tuple[ast.Expr, ...]
    tensorflow: str


def plain_update(unit: Unit, function: FunctionNode, made: ast.Call) -> PlainUpdate | None:
    """The update in the place of the optimizer that ``made`` makes, if it is plain SGD that only applies gradients."""
    statement = unit.names.parent(made)
    module = tensorflow_name(unit)
    if unit.names.qualified(made.func) != "keras.optimizers.SGD" or not module or _rate(made) is None:
        return None
    if not isinstance(statement, ast.Assign) or statement.value is not made or len(statement.targets) != 1:
        return None
    name = statement.targets[0]
    if not isinstance(name, ast.Name) or not is_removable(unit, statement):
        return None
    uses = [
        node
        for node in walk(function)
        if isinstance(node, ast.Name) and node.id == name.id and node is not name
    ]
    own = {id(node) for node in own_nodes(function)}
    steps = [_step(unit, use) for use in uses if id(use) in own]
    found = [step for step in steps if step is not None]
    return (
        PlainUpdate(made, function, statement, tuple(found), module)
        if found and len(found) == len(uses)
        else None
    )


def _rate(made: ast.Call) -> str | ast.expr | None:
    match made:
        case ast.Call(args=[], keywords=[]):
            return "0.01"  # Keras's default
        case ast.Call(args=[rate], keywords=[]) | ast.Call(
            args=[], keywords=[ast.keyword(arg="learning_rate", value=rate)]
        ):
            plain = isinstance(rate, ast.Constant | ast.Name | ast.Attribute)
            return rate if plain else None
    return None


def _step(unit: Unit, use: ast.Name) -> ast.Expr | None:
    """The statement ``use.apply_gradients(zip(gradients, variables))``."""
    attribute = unit.names.parent(use)
    call = unit.names.parent(attribute) if isinstance(attribute, ast.Attribute) else None
    statement = unit.names.parent(call) if isinstance(call, ast.Call) else None
    if not isinstance(statement, ast.Expr) or not isinstance(attribute, ast.Attribute):
        return None
    match call:
        case ast.Call(
            func=ast.Attribute(attr="apply_gradients"), args=[ast.Call(func=zipped, args=[_, _])], keywords=[]
        ):
            alone = unit.has_own_line(statement)
            return statement if unit.names.qualified(zipped) == "builtins.zip" and alone else None
    return None


def update_changes(unit: Unit, update: PlainUpdate) -> Iterator[AnyChange]:
    """The loop over gradients and variables in the place of each step."""
    rate = _rate(update.made)
    text = rate if isinstance(rate, str) else code_of(unit.cst_expression(rate)) if rate is not None else ""
    taken = {node.id for node in walk(update.function) if isinstance(node, ast.Name)}
    taken |= {parameter.arg for parameter in parameters(update.function)}
    gradient, variable = _free("gradient", taken), _free("variable", taken)
    yield Change(unit.cst_statement(update.statement), None)
    for step in update.steps:
        assert isinstance(step.value, ast.Call)
        pairs = code_of(unit.cst_expression(step.value.args[0]))
        lines = (
            f"for {gradient}, {variable} in {pairs}:\n"
            f"    if {gradient} is not None:\n"
            f"        {variable}.assign_sub({text} * {update.tensorflow}.convert_to_tensor({gradient}))\n"
        )
        line = unit.cst(step, cst.SimpleStatementLine)
        loop = parsed_statements(unit, lines)[0].with_changes(leading_lines=line.leading_lines)
        yield Change(line, loop)


def _free(name: str, taken: set[str]) -> str:
    return name if name not in taken else f"{name}_1"
