"""Which conditions around a construction go along with it into ``__init__``.

A condition on settings alone (``if self.use_bias:``) is kept, so that exactly the same layers come to be. A condition
on anything else is dropped, and the layer is made in any case, unless the constructor's arguments may make sense only
under that condition.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from tfmigrate.blocked import Blocked
from tfmigrate.hoist.context import Context, Guard
from tfmigrate.hoist.portable import Needs, Portability
from tfmigrate.walk import walk

_OPPOSITE: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Is: (r"\bis\b", "is not"),
    ast.IsNot: (r"\bis\s+not\b", "is"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: (r"\bin\b", "not in"),
    ast.NotIn: (r"\bnot\s+in\b", "in"),
}
"""Operator -> (pattern of its text, the opposite)."""


@dataclass(frozen=True, slots=True)
class KeptGuard:
    """``test`` (or its negation) is asked again in ``__init__``."""

    test: ast.expr
    holds: bool
    needs: Needs
    is_said: bool = True
    """False: the other guards imply it."""


def kept_guards(
    context: Context, needs: Needs, reading: Portability, receiver: str, may_be_none: Callable[[str], bool]
) -> tuple[KeptGuard, ...] | Blocked:
    """The guards to ask in ``__init__``, outermost first, or why the construction has to stay.

    ``may_be_none(attribute)``: such an attribute may be None exactly where a guard that is dropped kept it from being
    used.
    """
    kept: list[KeptGuard] = []
    dropped: list[ast.expr] = []
    for guard in reversed(context.guards):
        for test, holds in _parts(guard.test, guard.holds):
            stays = guard.in_loop or not guard.is_exact
            answer = Blocked("guard-cannot-move") if stays else reading.needs(test)
            if not isinstance(answer, Blocked):
                kept.append(KeptGuard(test, holds, answer))
            elif _matters(test, needs, receiver):
                return Blocked("guard-cannot-move", ast.unparse(test))
            elif not guard.raises:
                dropped.append(test)
    asked = {name for guard in kept if not _says_none(guard) for name in guard.needs.attributes}
    if dropped and any(may_be_none(attribute) for attribute in needs.attributes - asked):
        return Blocked("guard-cannot-move", ast.unparse(dropped[0]))
    return tuple(replace(guard, is_said=not any(_implies(other, guard) for other in kept)) for guard in kept)


def _says_none(guard: KeptGuard) -> bool:
    """``self.units is None`` is no protection from None."""
    match guard.test:
        case ast.Compare(ops=[ast.Is()], comparators=[ast.Constant(value=None)]):
            return guard.holds
        case ast.Compare(ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return not guard.holds
    return False


def is_made_anyway(context: Context, kept: tuple[KeptGuard, ...]) -> bool:
    """Whether a condition around the construction is not asked any more."""
    asked = {id(guard.test) for guard in kept}
    return any(
        id(test) not in asked
        for guard in context.guards
        if not guard.raises
        for test, _ in _parts(guard.test, guard.holds)
    )


def _implies(one: KeptGuard, other: KeptGuard) -> bool:
    """``self.mode == "a"`` says that ``self.mode`` is none of the other values which an ``elif`` chain asked for."""
    known, values = _values(one), _values(other)
    if (
        known is None
        or values is None
        or not known.is_one
        or values.is_one
        or known.subject != values.subject
    ):
        return False
    return not known.values & values.values


@dataclass(frozen=True, slots=True)
class _Values:
    subject: str
    values: frozenset[object]
    is_one: bool
    """The subject is one of ``values``, else none of them."""


def _values(guard: KeptGuard) -> _Values | None:
    test = guard.test
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    right = test.comparators[0]
    is_collection = isinstance(test.ops[0], ast.In | ast.NotIn)
    elements = right.elts if isinstance(right, ast.List | ast.Tuple | ast.Set) and is_collection else [right]
    strings = [
        node.value for node in elements if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    if len(strings) != len(elements) or not isinstance(test.ops[0], ast.Eq | ast.NotEq | ast.In | ast.NotIn):
        return None
    positive = isinstance(test.ops[0], ast.Eq | ast.In)
    return _Values(ast.dump(test.left), frozenset(strings), positive is guard.holds)


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
    for node in walk(test):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == receiver:
            if node.attr in needs.attributes:
                return True
        elif isinstance(node, ast.Name) and node.id in needs.loop_names | {name.id for name in needs.inlined}:
            return True
    return False


def guard_text(test: ast.expr, code: str, holds: bool) -> str:
    """The condition as a person would write it; ``code`` is the text of ``test``, with local names replaced."""
    if holds:
        return code
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and (opposite := _opposite(code)):
        return opposite
    simple = isinstance(test, ast.Name | ast.Attribute | ast.Call | ast.Subscript)
    return f"not {code}" if simple else f"not ({code})"


def _opposite(code: str) -> str:
    """``a != b`` for ``a == b``; empty if there is no such short way to say it."""
    compare = ast.parse(f"({code})", mode="eval").body
    if not isinstance(compare, ast.Compare) or type(compare.ops[0]) not in _OPPOSITE:
        return ""
    lines = f"({code})".encode().splitlines(keepends=True)
    start = sum(map(len, lines[: (compare.left.end_lineno or 1) - 1])) + (compare.left.end_col_offset or 0)
    right = compare.comparators[0]
    end = sum(map(len, lines[: right.lineno - 1])) + right.col_offset
    text = b"".join(lines)
    between = text[start:end].decode()
    old, new = _OPPOSITE[type(compare.ops[0])]
    if "#" in between or len(re.findall(old, between)) != 1:
        return ""
    opposite = text[:start].decode() + re.sub(old, new, between) + text[end:].decode()
    return opposite[1:-1]


__all__ = ["Guard", "KeptGuard", "guard_text", "is_made_anyway", "kept_guards"]
