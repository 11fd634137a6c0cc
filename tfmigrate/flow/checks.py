"""``assert`` and ``raise`` on a tensor's word: assertions of ``tf.debugging``, which a graph checks each time it runs.

AutoGraph does not convert ``assert``, and traces a ``raise`` whatever the condition. XLA leaves assertions out.
https://www.tensorflow.org/api_docs/python/tf/debugging/assert_equal
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tfmigrate.draws.text import indented
from tfmigrate.flow.conditions import CannotLower, is_safe
from tfmigrate.walk import walk

if TYPE_CHECKING:
    from tfmigrate.flow.lowering import Lowering


def assertion(lowering: Lowering, node: ast.Assert) -> list[str]:
    """Lines in the place of ``assert``.

    Raises:
        CannotLower: the message or the condition cannot be part of a graph.
    """
    if node.msg is not None and not _is_constant(node.msg):
        raise CannotLower("raises-with-effects", node.msg)
    message = f", message={lowering.rewriting.text(node.msg)}" if node.msg is not None else ""
    above, behind = lowering.source.comments(node)
    lowering.source.refuse_long_strings(node)
    lines: list[str] = []
    parts = [node.test]
    if (
        isinstance(node.test, ast.BoolOp)
        and isinstance(node.test.op, ast.And)
        and all(map(is_safe, node.test.values))
    ):
        parts = node.test.values
    for part in parts:
        if lowering.kinds.is_tensor(part):
            lines += _checked(lowering, part, message)
        else:
            text = lowering.rewriting.text(node.msg) if node.msg is not None else ""
            lines.append(f"assert {lowering.rewriting.text(part)}" + (f", {text}" if text else ""))
    lines[-1] += behind
    return [*above, *lines]


def _checked(lowering: Lowering, test: ast.expr, message: str) -> list[str]:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return [
            f"{lowering.tf}.debugging.assert_equal({lowering.conditions.truth(test.operand)}, False{message})"
        ]
    condition = lowering.conditions.parted(test)
    line = f"{lowering.tf}.debugging.assert_equal({condition.tensor}, True{message})"
    if not condition.guard:
        return [line]
    if not condition.is_or:
        raise CannotLower("condition", test)
    return [f"if not ({condition.guard}):", *indented([line], lowering.source.indent)]


def raising(lowering: Lowering, node: ast.If) -> list[str]:
    """Lines in the place of ``if tensor: raise SomeError("...")``.

    Raises:
        CannotLower: the exception is caught in the same function, or its message is no constant.
    """
    (statement,) = node.body
    assert isinstance(statement, ast.Raise)
    if any(isinstance(above, ast.Try) for above in lowering.unit.names.ancestors(node, lowering.function)):
        raise CannotLower("in-try", node.test)
    message = ""
    if isinstance(statement.exc, ast.Call) and not statement.exc.keywords and len(statement.exc.args) <= 1:
        if statement.exc.args and not _is_constant(statement.exc.args[0]):
            raise CannotLower("raises-with-effects", statement)
        lowering.source.refuse_long_strings(statement)
        message = "".join(f", message={lowering.rewriting.text(argument)}" for argument in statement.exc.args)
    elif not isinstance(statement.exc, ast.Name | ast.Attribute):
        raise CannotLower("raises-with-effects", statement)
    condition = lowering.conditions.parted(node.test)
    line = f"{lowering.tf}.debugging.assert_equal({condition.tensor}, False{message})"
    lines = lowering.source.comments(node)[0]
    if not condition.guard:
        return [*lines, line]
    if condition.is_or:
        raise CannotLower("condition", node.test)
    return [*lines, f"if {condition.guard}:", *indented([line], lowering.source.indent)]


def caught(lowering: Lowering, node: ast.Try) -> ast.If | None:
    """``try: if t: raise E; A; except E: B`` as ``if t: B else: A``; None if it is more than that.

    Counts only where nothing else in ``A`` raises: operations of TensorFlow and layers.
    """
    first = node.body[0]
    if not _is_raising(lowering, first) or node.orelse or node.finalbody or len(node.handlers) != 1:
        return None
    assert isinstance(first, ast.If) and isinstance(first.body[0], ast.Raise)
    raised = first.body[0].exc
    name = ast.unparse(raised.func if isinstance(raised, ast.Call) else raised) if raised is not None else ""
    (handler,) = node.handlers
    if handler.name is not None or handler.type is None or not name or ast.unparse(handler.type) != name:
        return None
    if any(isinstance(part, ast.Raise) for statement in node.body[1:] for part in walk(statement)):
        return None
    for part in (part for statement in node.body[1:] for part in walk(statement)):
        if isinstance(part, ast.Call):
            known = lowering.unit.names.qualified(part.func) or ""
            if not known.startswith("tensorflow.") and not lowering.kinds.is_tensor(part):
                return None
    joined = ast.copy_location(ast.If(first.test, handler.body, node.body[1:] or [ast.Pass()]), first)
    for table in (lowering.live.after, lowering.live.before):
        table[id(joined)] = table[id(node)]
    for known_names in (lowering.kinds.reading.before, lowering.kinds.reading.after):
        known_names[id(joined)] = known_names[id(node)]
    return joined


def caught_lines(lowering: Lowering, node: ast.Try, joined: ast.If, has_autograph: bool) -> list[str]:
    """Lines in the place of the whole ``try``: an ``if`` that AutoGraph converts, or ``tf.cond``.

    Raises:
        CannotLower: a branch cannot be part of a graph.
    """
    if not has_autograph:
        lines, _ = lowering.statement(joined, (), None)
        return lines
    source = lowering.source
    condition = lowering.conditions.parted(joined.test)
    if condition.guard:
        raise CannotLower("condition", joined.test)
    yes = [line for statement in joined.body for line in source.lines(statement)]
    no = [line for s in joined.orelse if not isinstance(s, ast.Pass) for line in source.lines(s)]
    lines = [*source.comments(node)[0], f"if {condition.tensor}:", *indented(yes, source.indent)]
    if isinstance(joined.body[-1], ast.Return):
        return [*lines, *no]
    return [*lines, "else:", *indented(no, source.indent)] if no else lines


def _is_raising(lowering: Lowering, node: ast.stmt) -> bool:
    is_raise = isinstance(node, ast.If) and not node.orelse and len(node.body) == 1
    return is_raise and isinstance(node.body[0], ast.Raise) and lowering.kinds.decides(node)  # type: ignore[attr-defined]


def _is_constant(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
