"""``tf.Variable`` kept as an attribute of a Keras layer: Keras 2 tracks it, Keras 3 does not.

It is made in the right place already (``__init__`` or ``build``), so ``self.add_weight`` takes the place of the call and
nothing moves.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfmigrate.blocked import Blocked
from tfmigrate.codemod import Change
from tfmigrate.hoist.owner import MethodNode, Owner
from tfmigrate.hoist.rewrite import code_of
from tfmigrate.hoist.weights import weight_of, weight_text
from tfmigrate.lazy import libcst as cst
from tfmigrate.project.index import Kind
from tfmigrate.syntax import own_nodes, self_attribute
from tfmigrate.unit import Unit
from tfmigrate.walk import walk

_SHARED_API = frozenset(
    ["assign", "assign_add", "assign_sub", "shape", "dtype", "name", "numpy", "trainable", "ndim"]
)
"""What both a ``tf.Variable`` and a weight of Keras 3 have."""


def kept_variables(unit: Unit, owner: Owner) -> Iterator[tuple[MethodNode, ast.Call]]:
    """The ``tf.Variable`` calls in ``__init__`` and ``build`` of a Keras class, with the method."""
    if owner.kind not in (Kind.LAYER, Kind.MODEL):
        return
    for name in ("__init__", "build"):
        method = owner.methods.get(name)
        for node in own_nodes(method) if method is not None else ():
            if isinstance(node, ast.Call) and unit.names.qualified(node.func) == "tensorflow.Variable":
                yield method, node  # type: ignore[misc]


def weight_in_place(
    unit: Unit, owner: Owner, method: MethodNode, call: ast.Call, after_super: bool
) -> tuple[str, Change] | Blocked:
    """The attribute that keeps the variable and the change that makes it a weight, or why it stays.

    ``after_super``: the call of the base's ``__init__`` moves up, to before the first attribute.
    """
    receiver = owner.receiver(method)
    statement = unit.names.statement_of(call)
    attribute = _attribute(statement, receiver)
    if not attribute:
        return Blocked("variable-not-kept", ast.unparse(call))
    blocked = owner.blocked()
    if blocked is not None:
        return blocked
    if method is owner.init and not after_super and not _is_after_super(owner, statement):
        return Blocked("init-without-super")
    strange = _strange_use(owner, attribute)
    if strange:
        return Blocked("variable-api", f"self.{attribute}.{strange}")
    weight = weight_of(unit, call)
    if isinstance(weight, Blocked):
        return weight
    alone = isinstance(statement, ast.Assign) and statement.value is call
    text = weight_text(receiver, weight, attribute if alone else "", lambda value: _text(unit, value))
    return attribute, Change(unit.cst_expression(call), cst.parse_expression(text))


def _text(unit: Unit, value: ast.expr | str) -> str:
    return value if isinstance(value, str) else code_of(unit.cst_expression(value))


def _attribute(statement: ast.stmt, receiver: str) -> str:
    """The attribute in ``self.v = ...``, ``self.vs.append(...)`` and ``self.vs += [...]``; empty for anything else."""
    match statement:
        case ast.Assign(targets=[target]) | ast.AnnAssign(target=target) | ast.AugAssign(target=target):
            return self_attribute(target, receiver)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=target, attr="append" | "extend"))):
            return self_attribute(target, receiver)
    return ""


def _is_after_super(owner: Owner, statement: ast.stmt) -> bool:
    assert owner.init is not None
    index = owner.super_index
    return index is not None and statement.lineno > (owner.init.body[index].end_lineno or 0)


def _strange_use(owner: Owner, attribute: str) -> str:
    """Something that the class asks of the variable and that a weight of Keras 3 does not have."""
    for method in owner.methods.values():
        receiver = owner.receiver(method)
        for node in walk(method):
            if not isinstance(node, ast.Attribute) or self_attribute(node.value, receiver) != attribute:
                continue
            if node.attr not in _SHARED_API | {"append", "extend"}:
                return node.attr
    return ""
