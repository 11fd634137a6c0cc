"""``call`` without its own ``@tf.function``, where nothing in it needs one.

``fit``, ``evaluate`` and ``predict`` compile a model anyway, and so does every ``tf.function`` that calls it. AutoGraph is
what the decorator adds, so there must be no branch, loop or assertion for it, and nothing that only runs while tracing.
"""

from __future__ import annotations

import ast
from collections.abc import Collection

from tfmigrate.codemod import AnyChange, Update
from tfmigrate.hoist.owner import MethodNode
from tfmigrate.lazy import libcst as cst
from tfmigrate.syntax import self_attribute
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

_DECIDES = (
    *(
        ast.If,
        ast.IfExp,
        ast.For,
        ast.While,
        ast.Assert,
        ast.BoolOp,
        ast.Try,
        ast.Raise,
        ast.Global,
        ast.Lambda,
    ),
    *(ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp, ast.FunctionDef, ast.Yield, ast.Await),
)
_OPTIONS = ("reduce_retracing", "experimental_relax_shapes", "autograph", "input_signature")


def uncompiled(unit: Unit, call: MethodNode, layers: Collection[str]) -> list[AnyChange] | None:
    """The change that takes the decorator off ``call``; None where it may do something.

    ``layers``: the attributes that hold layers of Keras's own.
    """
    if len(call.decorator_list) != 1 or not isinstance(call, ast.FunctionDef):
        return None
    decorator = call.decorator_list[0]
    if isinstance(decorator, ast.Call) and (
        decorator.args or any(one.arg not in _OPTIONS for one in decorator.keywords)
    ):
        return None
    receiver = call.args.args[0].arg if call.args.args else ""
    for node in (part for statement in call.body for part in walk(statement)):
        if isinstance(node, _DECIDES) or (
            isinstance(node, ast.Call) and not _is_pure(unit, node, receiver, layers)
        ):
            return None
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            return None
    return [Update(unit.cst(call, cst.FunctionDef), lambda node: node.with_changes(decorators=[]))]


def _is_pure(unit: Unit, call: ast.Call, receiver: str, layers: Collection[str]) -> bool:
    """Whether it does the same as a step of the graph and eagerly."""
    if self_attribute(call.func, receiver) in layers:
        return True
    name = unit.names.qualified(call.func) or ""
    is_library = name.startswith(("tensorflow.", "keras.ops.", "keras.activations."))
    return is_library and not name.startswith(
        ("tensorflow.py_function", "tensorflow.numpy_function", "tensorflow.Variable")
    )
