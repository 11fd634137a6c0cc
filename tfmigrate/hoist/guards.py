"""Which conditions around a construction go along with it into ``__init__``.

A condition on settings alone (``if self.use_bias:``) is kept, so that exactly the same layers come to be. A condition
on anything else is dropped, and the layer is made in any case, unless the constructor's arguments may make sense only
under that condition.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from tfmigrate.hoist.blocked import Blocked
from tfmigrate.hoist.context import Context, Guard
from tfmigrate.hoist.portable import Needs, Portability

_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


@dataclass(frozen=True, slots=True)
class KeptGuard:
    """``test`` (or its negation) is asked again in ``__init__``."""

    test: ast.expr
    holds: bool
    needs: Needs


def kept_guards(
    context: Context, needs: Needs, reading: Portability, receiver: str
) -> tuple[KeptGuard, ...] | Blocked:
    """The guards to ask in ``__init__``, outermost first, or why the construction has to stay."""
    kept: list[KeptGuard] = []
    for guard in reversed(context.guards):
        for test, holds in _parts(guard.test, guard.holds):
            matters = _matters(test, needs, receiver)
            answer = Blocked("guard-cannot-move") if guard.in_loop else reading.needs(test)
            if not isinstance(answer, Blocked):
                kept.append(KeptGuard(test, holds, answer))
            elif matters:
                return Blocked("guard-cannot-move", ast.unparse(test))
    return tuple(kept)


def _parts(test: ast.expr, holds: bool) -> Iterator[tuple[ast.expr, bool]]:
    """``a and b`` holds: both hold. ``a or b`` does not hold: neither does. ``not a``: the opposite."""
    joined = ast.And if holds else ast.Or
    if isinstance(test, ast.BoolOp) and isinstance(test.op, joined):
        for value in test.values:
            yield from _parts(value, holds)
    elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _parts(test.operand, not holds)
    else:
        yield test, holds


def _matters(test: ast.expr, needs: Needs, receiver: str) -> bool:
    """Whether ``test`` speaks of an attribute or a loop value that the constructor's arguments use."""
    for node in ast.walk(test):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == receiver:
            if node.attr in needs.attributes:
                return True
        elif isinstance(node, ast.Name) and node.id in needs.loop_names | {name.id for name in needs.inlined}:
            return True
    return False


def guard_text(test: ast.expr, code: str, holds: bool) -> str:
    """The condition as a person would write it; ``code`` is the text of ``test``."""
    if holds:
        return code
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in _OPPOSITE:
        opposite = ast.Compare(test.left, [_OPPOSITE[type(test.ops[0])]()], test.comparators)
        return ast.unparse(opposite)
    simple = isinstance(test, ast.Name | ast.Attribute | ast.Call | ast.Subscript)
    return f"not {code}" if simple else f"not ({code})"


__all__ = ["Guard", "KeptGuard", "guard_text", "kept_guards"]
