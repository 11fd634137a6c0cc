"""``Dropout`` whose rate is only known in the call: it has no weights, so the operation does as well.

``layers.Dropout(rate)(x, training=training)`` becomes ``tf.nn.dropout(x, rate=rate) if training else x``: the same draw, the
same scale. https://www.tensorflow.org/api_docs/python/tf/nn/dropout
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from tfmigrate.codemod import Change
from tfmigrate.hoist.rewrite import code_of
from tfmigrate.lazy import libcst as cst
from tfmigrate.syntax import FunctionNode, parameters
from tfmigrate.unit import Unit


@dataclass(frozen=True, slots=True)
class Operation:
    """``applied`` is the whole of ``Dropout(rate)(x, training=training)``."""

    made: ast.Call
    applied: ast.Call
    tensorflow: str
    """What the file calls TensorFlow."""


def dropout_operation(unit: Unit, function: FunctionNode, call: ast.Call) -> Operation | None:
    """The operation for the layer that ``call`` makes, if that is a dropout applied at once to a name."""
    applied = unit.names.parent(call)
    module = tensorflow_name(unit)
    if unit.names.qualified(call.func) != "keras.layers.Dropout" or not module or _rate(call) is None:
        return None
    if not isinstance(applied, ast.Call) or applied.func is not call:
        return None
    match applied:
        case ast.Call(args=[ast.Name()], keywords=[ast.keyword(arg="training", value=ast.Name(id=training))]):
            names = {parameter.arg for parameter in parameters(function)}
            return Operation(call, applied, module) if training in names else None
    return None


def _rate(call: ast.Call) -> ast.expr | None:
    match call:
        case ast.Call(args=[rate], keywords=[]) | ast.Call(
            args=[], keywords=[ast.keyword(arg="rate", value=rate)]
        ):
            return rate
    return None


def tensorflow_name(unit: Unit) -> str:
    """What the module calls TensorFlow; empty if it imports it in no plain way."""
    for statement in unit.tree.body:
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                if alias.name == "tensorflow":
                    return alias.asname or alias.name
    return ""


def operation_change(unit: Unit, operation: Operation) -> Change:
    """The conditional expression in the layer's place."""
    rate = _rate(operation.made)
    assert rate is not None
    tensor = code_of(unit.cst_expression(operation.applied.args[0]))
    training = code_of(unit.cst_expression(operation.applied.keywords[0].value))
    dropped = f"{operation.tensorflow}.nn.dropout({tensor}, rate={code_of(unit.cst_expression(rate))})"
    new = cst.parse_expression(f"{dropped} if {training} else {tensor}")
    parent = unit.names.parent(operation.applied)
    if not isinstance(parent, ast.Assign | ast.Return | ast.keyword | ast.AnnAssign):
        new = new.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    return Change(unit.cst_expression(operation.applied), new)
